/** Many streams at once, and one client that does not read: a bounded buffer, and nobody else notices. */
import { assert } from "@effect/vitest"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { Agent, type IncomingMessage, request } from "node:http"
import { afterAll, beforeAll, describe, it } from "vitest"
import { ask, chatCall, messagesCall } from "./ask.ts"
import { openStream } from "./open-stream.ts"
import { startGateway, type TestGateway } from "./start-gateway.ts"
import { delay } from "../delay.ts"

let gateway: TestGateway
beforeAll(async () => {
  // A thousand connections at once take a busy machine longer than the usual five seconds.
  gateway = await startGateway({ yaml: { providers: { anthropic: { connect_timeout_ms: 60_000 } } } })
})
afterAll(() => gateway.stop())

const residentBytes = (): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${gateway.pid}/status`, "utf8"))![1]) * 1024

const streamed = (sim: string) => messagesCall(`[sim: ${sim}]`, { stream: true })

describe("a thousand streams at once", () => {
  it("complete and are all charged what their provider counted", async () => {
    const mine = await gateway.account("100000")
    const count = 1_000
    const answers = await Promise.all(
      Array.from({ length: count }, () =>
        ask(gateway, mine.key, "/v1/messages", streamed("tokens=10 first=800 interval=20"))
      )
    )
    const ids = new Set<string>()
    let output = 0
    for (const answer of answers) {
      assert.strictEqual(answer.status, 200)
      assert.include(answer.text, "event: message_stop")
      ids.add(answer.id)
      const [, tokens] = /"message_delta".*"output_tokens": ?(\d+)/.exec(answer.text)!
      output += Number(tokens)
    }
    const rows = await gateway.calls(mine.accountId, count)
    assert.deepStrictEqual(new Set(rows.map(({ id }) => id)), ids)
    assert.isTrue(rows.every((row) => row.status === 200 && !row.estimated))
    assert.strictEqual(
      rows.reduce((sum, row) => sum + row.output_tokens, 0),
      output
    )
    const spent = rows.reduce((sum, row) => sum + row.cost_micro_vnd, 0n)
    assert.strictEqual(await gateway.balance(mine.accountId), 100_000_000_000n - spent)
  })
})

describe("clients that read nothing while 40 MB are on their way to each", () => {
  const big = 40_000_000
  // What the collector has not come to yet is shared among them.
  const clients = 5
  const calls = [
    ["/v1/messages", messagesCall(`[sim: big=${big}]`, { stream: true, max_tokens: 128_000 })],
    ["/v1/chat/completions", chatCall(`[sim: big=${big}]`, { stream: true })]
  ] as const

  for (const [path, call] of calls) {
    it.skipIf(process.platform !== "linux")(
      `cost ${path} less than 10 MB of memory each, disturb nobody, and get all of it in the end`,
      async () => {
        const mine = await gateway.account("10000000000")
        // What a fast stream costs the heap has been allocated before the measurement.
        const fast = { ...call, messages: [{ role: "user", content: "[sim: big=20000000]" }] }
        const warm = await openStream(gateway, mine.key, path, fast, { keepsText: false, read: false })
        warm.read()
        assert.isTrue((await warm.ended).complete)
        const before = residentBytes()
        const slow = await Promise.all(
          Array.from({ length: clients }, () =>
            openStream(gateway, mine.key, path, call, { keepsText: false, read: false })
          )
        )
        assert.isTrue(slow.every(({ status }) => status === 200))
        let sent = -1
        // Until nothing moves any more: the buffers on the way are full.
        for (let still = 0; still < 3;) {
          const others = await ask(gateway, mine.key, path, {
            ...call,
            messages: [{ role: "user", content: "[sim: tokens=50 interval=10]" }]
          })
          assert.match(others.text, /message_stop|\[DONE\]/)
          const now = (await gateway.seen()).last
            .filter(({ path: at, body }) => at === path && body.includes(`big=${big}`))
            .reduce((sum, { bytesSent }) => sum + bytesSent, 0)
          still = now === sent ? still + 1 : 0
          sent = now
        }
        assert.isBelow(sent, clients * 30_000_000)
        assert.isBelow(residentBytes() - before, clients * 10_000_000)
        for (const client of slow) client.read()
        for (const client of slow) {
          assert.isTrue((await client.ended).complete)
          assert.isAbove(client.bytes, big)
          assert.match(client.text, /message_stop|\[DONE\]/)
        }
        const rows = await gateway.calls(mine.accountId, clients + 2)
        for (const { id } of slow) {
          const row = rows.find((each) => each.id === id)!
          assert.strictEqual(row.status, 200)
          assert.isFalse(row.estimated)
        }
      }
    )
  }
})

describe("streams of large prompts", () => {
  it.skipIf(process.platform !== "linux")("do not keep them while they are answered", async () => {
    const mine = await gateway.account("10000000000")
    const prompt = "word ".repeat(80_000)
    const count = 200
    const open = (sim: string) => {
      const call = chatCall(`[sim: ${sim}] ${prompt}`, { stream: true })
      return openStream(gateway, mine.key, "/v1/chat/completions", call, { keepsText: false, read: true })
    }
    for (let warm = 0; warm < 10; warm++) await (await open("tokens=2")).ended
    const before = residentBytes()
    const streams: Array<Awaited<ReturnType<typeof open>>> = []
    for (let opened = 0; opened < count; opened += 4) {
      streams.push(...(await Promise.all(Array.from({ length: 4 }, () => open("tokens=1000 interval=100")))))
    }
    assert.isTrue(streams.every(({ status }) => status === 200))
    assert.isBelow(residentBytes() - before, count * prompt.length)
    for (const stream of streams) stream.leave()
  })
})

describe("a client that reads slowly", () => {
  /** Reads with a pause after the head, and another after each piece. */
  const call = async (agent: Agent, key: string, body: object, pauses: { head?: number; piece?: number }) => {
    const sent = request(`${gateway.url}/v1/messages`, {
      method: "POST",
      agent,
      headers: { "x-api-key": key, "content-type": "application/json" }
    })
    sent.end(JSON.stringify(body))
    const [response] = (await once(sent, "response")) as [IncomingMessage]
    await delay(pauses.head ?? 0)
    let last = ""
    for await (const chunk of response) {
      last = String(chunk).slice(-300)
      await delay(pauses.piece ?? 0)
    }
    return { last, isComplete: response.complete, reused: sent.reusedSocket }
  }

  it("gets all of it, and its connection takes the next call", async () => {
    const mine = await gateway.account("1000000000")
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const slow = await call(agent, mine.key, streamed("big=10000000"), { piece: 40 })
    assert.include(slow.last, "message_stop")
    const next = await call(agent, mine.key, streamed("tokens=5"), {})
    assert.include(next.last, "message_stop")
    assert.isTrue(next.reused)
    agent.destroy()
  })

  it("may stop for longer than a connection lasts that nobody reads, streamed or whole", async () => {
    const mine = await gateway.account("1000000000")
    const agent = new Agent()
    const big = "[sim: big=20000000]"
    const [stream, whole] = await Promise.all(
      [streamed("big=20000000"), messagesCall(big, { max_tokens: 128_000 })].map((body) =>
        call(agent, mine.key, body, { head: 15_000 })
      )
    )
    assert.isTrue(stream!.isComplete)
    assert.include(stream!.last, "message_stop")
    assert.isTrue(whole!.isComplete)
    assert.doesNotThrow(() => JSON.parse(`{"usage"${whole!.last.split('"usage"')[1]}`))
  })
})
