/** Each fault of an upstream × plain and streamed × both protocols, with and without conversion. */
import { assert } from "@effect/vitest"
import { afterAll, beforeAll, describe, it } from "vitest"
import { faults, plainFaults, type Seen } from "../chaos/faults.ts"
import { startGateway, type TestAccount, type TestGateway } from "../gateway/start-gateway.ts"
import { readMetrics, sumOf } from "./read-metrics.ts"
import { post } from "../gateway/open-stream.ts"
import { ask, eventually } from "./calls.ts"

/** Which way a call goes: the client's protocol, and a model whose provider speaks this one. */
const ways = [
  ["messages to messages", "/v1/messages", "claude-sonnet-5"],
  ["chat to chat", "/v1/chat/completions", "deepseek-v4-pro"],
  ["messages to chat", "/v1/messages", "deepseek-v4-pro"],
  ["chat to messages", "/v1/chat/completions", "claude-sonnet-5"]
] as const

const quick = { first_byte_timeout_ms: 600, idle_timeout_ms: 600 }

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway({ yaml: { providers: { anthropic: quick, deepseek: quick } } })
})
afterAll(() => gateway.stop())

interface Case {
  readonly path: string
  readonly model: string
  readonly directive: string
  readonly stream: boolean
  readonly expected: Seen | "error event"
}

const call = (account: TestAccount, { directive, model, path, stream }: Omit<Case, "expected">) =>
  post(gateway.url + path, account.key, ask(`[sim: ${directive}]`, { model, stream }))

/** Good answers between the faults keep the route's circuit closed, which is tested elsewhere. */
const keepClosed = async (account: TestAccount, { model, path }: Case) => {
  for (let turn = 0; turn < 2; turn++) {
    const { ended, status } = await call(account, { directive: "tokens=2", model, path, stream: false })
    assert.strictEqual(status, 200)
    await ended
  }
}

const check = async (account: TestAccount, each: Case): Promise<void> => {
  const name = `${each.directive} ${each.stream ? "streamed" : "plain"}`
  const answer = await call(account, each)
  const { complete, text } = await answer.ended
  assert.isTrue(complete, name)
  const id = String(answer.headers["request-id"])
  const isChat = each.path.includes("chat")
  if (each.expected === "error event") {
    assert.strictEqual(answer.status, 200, `${name}: ${text}`)
    const last = text.trimEnd().split("\n\n").at(-1)!
    assert.match(last, isChat ? /^data: \{.*"error"/ : /^event: error\ndata: \{/, name)
    assert.include(last, "api_error", name)
    assert.notInclude(text, "[DONE]", name)
    assert.notInclude(text, "message_stop", name)
  } else {
    assert.strictEqual(answer.status, each.expected.status, `${name}: ${text}`)
    const body = JSON.parse(text) as { type: string; error: { type: string }; request_id: string }
    assert.strictEqual(body.type, "error", name)
    assert.strictEqual(body.error.type, each.expected.type, name)
    assert.strictEqual(body.request_id, id, name)
    assert.strictEqual(
      answer.headers["retry-after"],
      each.directive.includes("retry-after=3") ? "3" : answer.status === 429 ? "5" : undefined,
      name
    )
  }
  const status = each.expected === "error event" ? 502 : each.expected.status
  const row = await eventually(async () =>
    (await gateway.calls(account.accountId)).find((candidate) => candidate.id === id)
  )
  assert.deepStrictEqual([row.status, row.cost_micro_vnd], [status, 0n], name)
}

const casesOf = (path: string, model: string, hanging: boolean): ReadonlyArray<Case> => [
  ...faults
    .filter(({ hangs = false }) => hangs === hanging)
    .flatMap(({ directive, plain, streamed }) => [
      { path, model, directive, stream: false, expected: plain },
      { path, model, directive, stream: true, expected: streamed }
    ]),
  ...(hanging
    ? []
    : plainFaults.map(({ directive, plain }) => ({ path, model, directive, stream: false, expected: plain })))
]

const spentOf = async (account: TestAccount): Promise<bigint> => {
  const rows = await gateway.calls(account.accountId)
  return rows.reduce((sum, row) => sum + row.cost_micro_vnd, 0n)
}

const assertNothingIsLeft = async (): Promise<void> => {
  const metrics = await eventually(async () => {
    const now = await readMetrics(gateway.url)
    return sumOf(now, "tollgate_holds") === 0 && now
  })
  assert.strictEqual(sumOf(metrics, "tollgate_held_vnd"), 0)
  assert.strictEqual(sumOf(metrics, "tollgate_open_calls"), 0)
  assert.strictEqual((await gateway.seen({ openStreams: 0 })).openStreams, 0)
}

describe("an upstream's fault", () => {
  it.each(ways)("from %s becomes the contract's error, and costs nothing", async (_, path, model) => {
    const account = await gateway.account("100000")
    for (const each of casesOf(path, model, false)) {
      await keepClosed(account, each)
      await check(account, each)
    }
    assert.strictEqual(await gateway.balance(account.accountId), 100_000_000_000n - (await spentOf(account)))
    await assertNothingIsLeft()
  })

  it("that lasts for ever ends at the limits of time, whichever way", async () => {
    const account = await gateway.account("100000")
    const cases = ways.flatMap(([, path, model]) => casesOf(path, model, true))
    const { aborted } = await gateway.seen()
    await Promise.all(cases.map((each) => check(account, each)))
    assert.strictEqual(await gateway.balance(account.accountId), 100_000_000_000n)
    await assertNothingIsLeft()
    // Each connection to the provider was ended by us.
    const seen = await gateway.seen({ aborted: aborted + cases.length })
    assert.isAtLeast(seen.aborted, aborted + cases.length)
  })
})
