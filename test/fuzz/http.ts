/** Fuzzes a running gateway over its sockets: broken HTTP, broken bodies, and providers that answer brokenly. */
import assert from "node:assert"
import { connect } from "node:net"
import type { TestAccount, TestGateway } from "../gateway/start-gateway.ts"
import type { Corpus, Wire } from "./corpus.ts"
import { cut, mutateBytes, mutateJson } from "./mutate.ts"
import type { Random } from "../Random.ts"

/** How often each status came. */
export type Statuses = Map<string, number>

const note = (statuses: Statuses, name: string) => void statuses.set(name, (statuses.get(name) ?? 0) + 1)

const paths = [
  "/v1/messages",
  "/v1/chat/completions",
  "/v1/responses",
  "/v1/messages/count_tokens",
  "/v1/images/generations",
  "/v1/images/edits",
  "/v1/audio/speech",
  "/v1/models",
  "/v1/models/svc%2Fnova-pro",
  "/healthz",
  "/",
  "/metrics"
]

/** One connection that sends something like HTTP, in pieces, and goes away. Whatever is answered is no fault of ours. */
export const brokenHttp = async (
  random: Random,
  gateway: TestGateway,
  { key }: TestAccount,
  statuses: Statuses
) => {
  const body = '{"model":"claude-sonnet-5","max_tokens":5,"messages":[{"role":"user","content":"Hello"}]}'
  const length = random.pick([
    String(body.length),
    "0",
    "-1",
    "99999999999999999999",
    "1e3",
    " 5",
    "abc",
    String(body.length + 20)
  ])
  const head = [
    `${random.pick(["POST", "GET", "PUT", "HEAD", "OPTIONS", "BREW", ""])} ${random.pick(paths)}${random.pick(["", "?a=b", "?%zz", "#x"])} HTTP/${random.pick(["1.1", "1.1", "1.1", "1.0", "9.9"])}`,
    "host: localhost",
    `authorization: Bearer ${random.chance(0.7) ? key : "sk-tg-x"}`,
    random.chance(0.6) ? `content-length: ${length}` : "transfer-encoding: chunked",
    random.pick([
      "x-a: b",
      `x-long: ${"a".repeat(random.below(20_000))}`,
      "x-nul: a\u0000b",
      "content-encoding: gzip",
      "expect: 100-continue",
      "upgrade: websocket\r\nconnection: upgrade"
    ])
  ].join("\r\n")
  const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
  let bytes: Buffer = Buffer.from(
    `${head}\r\n\r\n${random.pick([body, chunked, "ffffffffff\r\n", "5\r\nhe", ""])}`
  )
  if (random.chance(0.5)) bytes = mutateBytes(random, bytes, bytes)
  if (random.chance(0.2)) bytes = Buffer.concat([bytes, bytes])
  const answer = await exchange(random, Number(new URL(gateway.url).port), bytes)
  for (const [, status] of answer.matchAll(/HTTP\/1\.1 (\d{3})/g)) {
    note(statuses, `broken HTTP ${status}`)
    // The server's own answer to another version of HTTP.
    assert(
      Number(status) < 500 || status === "505",
      `broken HTTP was answered with ${status}: ${answer.slice(0, 300)}`
    )
  }
}

const patienceMs = 150

const exchange = (random: Random, port: number, bytes: Buffer): Promise<string> =>
  new Promise((resolve) => {
    let answer = ""
    const socket = connect(port, "127.0.0.1", async () => {
      for (const part of cut(random, bytes).slice(0, 50))
        if (!socket.write(part)) await new Promise(setImmediate)
      if (random.chance(0.3)) socket.end()
    })
    const done = () => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(patienceMs, done)
    socket.on("data", (chunk) => (answer += chunk.toString("latin1")))
    socket.on("error", done)
    socket.on("close", done)
  })

const models: ReadonlyArray<readonly [model: string, wire: Wire]> = [
  ["claude-sonnet-5", "messages"],
  ["gpt-5.5", "chat_completions"],
  ["deepseek-v4-pro", "chat_completions"],
  ["svc/claude-sonnet-5", "invoke"],
  ["svc/nova-pro", "converse"]
]

/** A call with something wrong in its body: served, or refused by its fault, never by ours. */
export const brokenCall = async (
  random: Random,
  gateway: TestGateway,
  account: TestAccount,
  corpus: Corpus,
  statuses: Statuses
) => {
  const endpoint = random.pick(["messages", "chat_completions", "responses"] as const)
  const [model] = random.pick(models)
  const seed = {
    ...random.pick(corpus.requests[endpoint]),
    model: endpoint === "responses" ? "gpt-5.5" : model
  }
  let body: Buffer = Buffer.from(writable(mutateJson(random, seed)))
  if (random.chance(0.3)) body = mutateBytes(random, body, body)
  const answer = await post(gateway, account, endpoint, body)
  note(statuses, `broken body ${answer.status}`)
  assert(
    answer.status < 500,
    `a broken body was answered with ${answer.status} ${answer.text.slice(0, 300)}: ${body.toString().slice(0, 2_000)}`
  )
}

/** A provider's answer with something wrong in it: told to the caller in the contract's words, or passed on. */
export const brokenProvider = async (
  random: Random,
  gateway: TestGateway,
  account: TestAccount,
  corpus: Corpus,
  statuses: Statuses
) => {
  const endpoint = random.pick(["messages", "chat_completions", "responses"] as const)
  const [model, wire] = endpoint === "responses" ? (["gpt-5.5", "responses"] as const) : random.pick(models)
  const stream = random.chance(0.6)
  const seeds: ReadonlyArray<Buffer> = stream
    ? corpus.streams[wire]
    : corpus.answers[wire].map((answer) => Buffer.from(writable(mutateJson(random, answer))))
  const sent = mutateBytes(random, random.pick(seeds), random.pick(seeds))
  const isAws = wire === "invoke" || wire === "converse"
  const contentType = stream
    ? isAws
      ? "application/vnd.amazon.eventstream"
      : "text/event-stream"
    : "application/json"
  await fetch(`${gateway.simulatorUrl}/_sim/replay`, {
    method: "POST",
    body: JSON.stringify({
      path: "",
      status: random.chance(0.9) ? 200 : random.pick([400, 404, 429, 500]),
      headers: { "content-type": contentType },
      body: sent.toString("base64"),
      chunkSizes: [1 + random.below(5_000)]
    })
  })
  const messages = [{ role: "user", content: "Hello" }]
  const body =
    endpoint === "responses" ? { model, input: "Hello", stream } : { model, messages, stream, max_tokens: 50 }
  const answer = await post(gateway, account, endpoint, Buffer.from(JSON.stringify(body)))
  note(statuses, `broken provider ${answer.status}`)
  if (answer.status !== 200) assert(isContractError(answer.text), answer.text.slice(0, 300))
}

const isContractError = (text: string): boolean => {
  const { error, type } = JSON.parse(text) as {
    readonly type?: string
    readonly error?: { readonly type?: string; readonly message?: string }
  }
  return type === "error" && typeof error?.type === "string" && typeof error.message === "string"
}

const post = async (
  gateway: TestGateway,
  { key }: TestAccount,
  endpoint: "messages" | "chat_completions" | "responses",
  body: Buffer
) => {
  const path = endpoint === "chat_completions" ? "chat/completions" : endpoint
  const answer = await fetch(`${gateway.url}/v1/${path}`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: new Uint8Array(body),
    signal: AbortSignal.timeout(30_000)
  })
  return { status: answer.status, text: await answer.text() }
}

const writable = (value: unknown): string => {
  try {
    return JSON.stringify(value)
  } catch {
    return "{}"
  }
}

/** After all that: it runs, it has met no fault of its own, and its books are in order. */
export const assertSound = async (gateway: TestGateway, account: TestAccount, credited: bigint) => {
  assert.strictEqual(gateway.exitCode, null)
  assert.strictEqual((await fetch(`${gateway.url}/healthz`)).status, 200)
  const fault = gateway.output.indexOf("fault of the gateway")
  assert.strictEqual(fault, -1, gateway.output.slice(Math.max(0, fault - 200), fault + 2_000))
  const rows = await gateway.calls(account.accountId, 1)
  for (const row of rows) {
    assert(
      row.cost_micro_vnd === 0n || row.status === 200 || row.status === 499,
      `${row.id}: ${row.status} was charged`
    )
  }
  const spent = rows.reduce((sum, row) => sum + row.cost_micro_vnd, 0n)
  assert.strictEqual(await gateway.balance(account.accountId), credited - spent)
}
