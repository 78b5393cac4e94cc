/** Recorded traffic of the providers through the whole gateway: the bytes stay, and the recorded tokens are charged. */
import { assert } from "@effect/vitest"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, it } from "vitest"
import { type Answered, ask, chatCall, errorOf, messagesCall, replay, responsesCall } from "./ask.ts"
import {
  advisedTokens,
  dataOf,
  type RecordedProtocol,
  type RecordedUsage,
  usageOfBody,
  usageOfStream
} from "./recorded-usage.ts"
import { describeWith } from "../shared-folder.ts"
import { fixturesFolder, readFixture } from "./recorded-traffic.ts"
import { startGateway, type TestGateway } from "./start-gateway.ts"

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

interface Protocol {
  readonly name: RecordedProtocol
  readonly path: string
  readonly upstreamPath: string
  readonly model: string
  readonly price: bigint
  readonly call: (content: string, more: Readonly<Record<string, unknown>>) => object
}

const messages: Protocol = {
  name: "messages",
  path: "/v1/messages",
  upstreamPath: "/v1/messages",
  model: "claude-sonnet-5",
  price: 6500n,
  call: messagesCall
}
const chat: Protocol = {
  name: "chat",
  path: "/v1/chat/completions",
  upstreamPath: "/v1/chat/completions",
  model: "gpt-5.5",
  price: 2400n,
  call: chatCall
}
const responses: Protocol = {
  name: "responses",
  path: "/v1/responses",
  upstreamPath: "/v1/responses",
  model: "gpt-5.5",
  price: 2400n,
  call: responsesCall
}

const folders: ReadonlyArray<readonly [folder: string, protocol: Protocol]> = [
  ["anthropic-messages", messages],
  ["openai-chat", chat],
  ["openai-compatible", chat],
  ["openai-responses", responses]
]

interface Recording {
  readonly id: string
  readonly request: { readonly url: string; readonly body: Record<string, unknown> } | null
  readonly response: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body?: unknown
    readonly body_file?: string
  }
}

const recordingsOf = (folder: string): ReadonlyArray<Recording> =>
  readdirSync(join(fixturesFolder, folder))
    .filter((name) => name.endsWith(".json"))
    .map((name) => JSON.parse(readFixture(`${folder}/${name}`)) as Recording)

/** Whole, in pieces that cut lines and characters, and byte for byte where that is not too many. */
const cutsOf = (stream: string): ReadonlyArray<ReadonlyArray<number>> => [
  [1 << 20],
  [7, 1, 300, 64],
  ...(stream.length < 3_000 ? [[1]] : [])
]

const eventStream = { "content-type": "text/event-stream; charset=utf-8" }

/** The recorded request where there is one, as its client sent it but for the model. */
const requestOf = (protocol: Protocol, recording: Recording, stream: boolean, usage: boolean) => {
  const recorded = recording.request?.body ?? protocol.call("Hello", {})
  const kept = Object.entries(recorded).filter(([name]) => name !== "stream" && name !== "stream_options")
  return {
    ...Object.fromEntries(kept),
    model: protocol.model,
    // Of one that thinks, a model of OpenAI takes tools over Responses alone.
    ...(protocol === chat && { reasoning_effort: "none" }),
    ...(stream && { stream: true }),
    ...(stream && usage && { stream_options: { include_usage: true } })
  }
}

const isBroken = (events: ReadonlyArray<string>): boolean => events.some((data) => isErrorEvent(data))
const isErrorEvent = (data: string): boolean => {
  if (data === "[DONE]") return false
  const event = JSON.parse(data) as { readonly type?: string; readonly error?: unknown }
  return (event.error ?? undefined) !== undefined || ["error", "response.failed"].includes(event.type ?? "")
}

const isUsageChunk = (event: string): boolean => {
  const [data] = dataOf(event)
  if (data === undefined || data === "[DONE]") return false
  const chunk = JSON.parse(data) as { readonly choices?: ReadonlyArray<unknown>; readonly usage?: unknown }
  return (chunk.usage ?? undefined) !== undefined && chunk.choices?.length === 0
}

const withoutUsageChunk = (stream: string): string =>
  stream
    .split("\n\n")
    .filter((event) => !isUsageChunk(event))
    .join("\n\n")

const expectCharge = async (
  accountId: Parameters<TestGateway["calls"]>[0],
  answers: ReadonlyArray<Answered>,
  usage: RecordedUsage | undefined,
  price: bigint,
  advised = 0
) => {
  const rows = await gateway.calls(accountId, answers.length)
  assert.deepStrictEqual(rows.map((row) => row.id).toSorted(), answers.map(({ id }) => id).toSorted())
  for (const row of rows) {
    assert.strictEqual(row.status, 200)
    assert.strictEqual(row.error_type, "")
    assert.strictEqual(row.estimated, usage === undefined)
    if (usage === undefined) assert.isAbove(row.output_tokens, 0)
    else assert.deepStrictEqual([row.input_tokens, row.output_tokens], [usage.input, usage.output])
    assert.strictEqual(row.cost_micro_vnd, BigInt(row.input_tokens + row.output_tokens + advised) * price)
  }
  const spent = rows.reduce((sum, row) => sum + row.cost_micro_vnd, 0n)
  assert.strictEqual(await gateway.balance(accountId), 50_000_000_000n - spent)
}

const streamThrough = async (
  protocol: Protocol,
  key: string,
  request: object,
  body: string,
  chunkSizes: ReadonlyArray<number>
): Promise<Answered> => {
  await replay(gateway, { path: protocol.upstreamPath, headers: eventStream, body, chunkSizes })
  return ask(gateway, key, protocol.path, request)
}

describeWith("fixtures", "recorded streams", () => {
  for (const [folder, protocol] of folders) {
    for (const recording of recordingsOf(folder)) {
      const file = recording.response.body_file
      if (file === undefined) continue
      const stream = readFixture(`${folder}/${file}`)
      if (isBroken(dataOf(stream))) {
        it(`${recording.id} ends as an error and costs nothing`, async () => {
          const { accountId, key } = await gateway.account()
          const request = requestOf(protocol, recording, true, true)
          for (const cut of cutsOf(stream)) {
            const answer = await streamThrough(protocol, key, request, stream, cut)
            if (answer.status === 200) {
              expectBrokenStream(answer.text, stream)
            } else {
              assert.include([400, 413, 429, 502], answer.status)
              errorOf(answer, protocol.name === "messages" ? "messages" : "chat")
            }
          }
          const rows = await gateway.calls(accountId, cutsOf(stream).length)
          for (const row of rows) {
            assert.notStrictEqual(row.status, 200)
            assert.strictEqual(row.cost_micro_vnd, 0n)
          }
          assert.strictEqual(await gateway.balance(accountId), 50_000_000_000n)
        })
        continue
      }
      it(`${recording.id} reaches its client byte for byte and costs what it says`, async () => {
        const { accountId, key } = await gateway.account()
        const answers: Array<Answered> = []
        for (const cut of cutsOf(stream)) {
          for (const usage of protocol === chat ? [true, false] : [false]) {
            const request = requestOf(protocol, recording, true, usage)
            const answer = await streamThrough(protocol, key, request, stream, cut)
            assert.strictEqual(answer.status, 200, answer.text)
            const isStripped = protocol === chat && !usage
            assert.strictEqual(answer.text, isStripped ? withoutUsageChunk(stream) : stream)
            answers.push(answer)
          }
        }
        const usage = usageOfStream(protocol.name, stream)
        // The advisors recorded here have the same price.
        await expectCharge(accountId, answers, usage, protocol.price, advisedTokens(stream))
      })
    }
  }
})

/** All that came before the error is there, then one event of ours, and nothing that looks like an end. */
const expectBrokenStream = (text: string, recorded: string) => {
  const events = recorded.split("\n\n")
  const failing = events.findIndex((event) => dataOf(event).some((data) => isErrorEvent(data)))
  const before = events
    .slice(0, failing)
    .map((event) => `${event}\n\n`)
    .join("")
  assert.isTrue(text.startsWith(before))
  const [last, ...more] = dataOf(text.slice(before.length))
  assert.isEmpty(more)
  assert.isTrue(isErrorEvent(last!))
  assert.notInclude(text, "[DONE]")
  assert.notInclude(text, "message_stop")
}

describeWith("fixtures", "recorded bodies", () => {
  for (const [folder, protocol] of folders) {
    for (const recording of recordingsOf(folder)) {
      const { body, body_file: file, headers, status } = recording.response
      const isOther = /count-tokens|input-tokens|error-documented|error-429-reported/.test(recording.id)
      if (file !== undefined || isOther) continue
      if (status === 200) {
        it(`${recording.id} reaches its client byte for byte and costs what it says`, async () => {
          const { accountId, key } = await gateway.account()
          const request = requestOf(protocol, recording, false, false)
          const answers: Array<Answered> = []
          for (const space of [undefined, 1]) {
            const bytes = JSON.stringify(body, null, space)
            await replay(gateway, { path: protocol.upstreamPath, headers, body: bytes })
            const answer = await ask(gateway, key, protocol.path, request)
            assert.strictEqual(answer.status, 200, answer.text)
            assert.strictEqual(answer.text, bytes)
            answers.push(answer)
          }
          const usage = usageOfBody(protocol.name, body)!
          assert.strictEqual(answers[0]!.headers.get("x-svc-input-tokens"), String(usage.input))
          assert.strictEqual(answers[0]!.headers.get("x-svc-output-tokens"), String(usage.output))
          await expectCharge(accountId, answers, usage, protocol.price)
        })
      } else {
        it(`${recording.id} becomes the contract's error and costs nothing`, () =>
          expectRefusal(protocol, status, JSON.stringify(body)))
      }
    }
  }

  const tables = [
    ["anthropic-messages/error-documented.json", messages],
    ["openai-chat/error-429-reported.json", chat]
  ] as const
  for (const [file, protocol] of tables) {
    const { response } = JSON.parse(readFixture(file)) as Recording
    for (const [name, body] of Object.entries(response.body as Record<string, unknown>)) {
      it(`${file}: ${name} becomes the contract's error and costs nothing`, () => {
        const status = Number(/\d{3}$/.exec(name)?.[0] ?? response.status)
        return expectRefusal(protocol, status, JSON.stringify(body))
      })
    }
  }
})

const ownStatus = new Set([400, 413, 429])

const expectRefusal = async (protocol: Protocol, status: number, body: string) => {
  const { accountId, key } = await gateway.account()
  const told = (JSON.parse(body) as { readonly error: { readonly message: string } }).error.message
  for (const stream of [false, true]) {
    await replay(gateway, { path: protocol.upstreamPath, status, body })
    const answer = await ask(gateway, key, protocol.path, protocol.call("Hello", { stream }))
    const expected = ownStatus.has(status) ? status : 502
    assert.strictEqual(answer.status, expected, answer.text)
    const error = errorOf(answer, protocol.name === "messages" ? "messages" : "chat")
    if (expected === 400) assert.strictEqual(error.message, told)
    else if (expected === 502) assert.notInclude(answer.text, told)
    assert.notMatch(answer.text, /platform\.openai\.com|api\.anthropic\.com/)
    if (expected === 429) assert.isAtLeast(Number(answer.headers.get("retry-after")), 1)
    assert.isNull(answer.headers.get("x-svc-cost-vnd"))
  }
  for (const row of await gateway.calls(accountId, 2)) {
    assert.strictEqual(row.status, ownStatus.has(status) ? status : 502)
    assert.strictEqual(row.cost_micro_vnd, 0n)
  }
  assert.strictEqual(await gateway.balance(accountId), 50_000_000_000n)
  // A success in between, so that the failures do not open the provider's circuit.
  assert.strictEqual((await ask(gateway, key, protocol.path, protocol.call("Hello", {}))).status, 200)
}
