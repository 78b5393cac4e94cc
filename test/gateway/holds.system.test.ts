/** Wallets that can not pay for everything: what is held, what is cut, and that nothing is ever overdrawn. */
import { assert } from "@effect/vitest"
import { afterAll, beforeAll, describe, it } from "vitest"
import { parseVnd } from "../../src/domain/money.ts"
import { ask, chatCall, messagesCall } from "./ask.ts"
import { readMetrics, sumOf } from "../operations/read-metrics.ts"
import { expectError } from "./endpoints.ts"
import { type GenerousProvider, startGenerousProvider } from "./generous-provider.ts"
import { openStream } from "./open-stream.ts"
import { startGateway, type TestGateway } from "./start-gateway.ts"
import { until } from "../until.ts"

let gateway: TestGateway
let generous: GenerousProvider
beforeAll(async () => {
  generous = await startGenerousProvider()
  gateway = await startGateway({
    yaml: { limits: { hold_output_tokens: 16 } },
    // Whose thoughts are counted beside the cap, and one with models that do not think.
    routes: Object.fromEntries(
      ["alibaba", "mistral"].map((name) => [name, [{ base_url: generous.url, api_key: "k" }]])
    )
  })
})
afterAll(async () => {
  await gateway.stop()
  generous.close()
})

/** Dong for so many tokens at the price of claude-sonnet-5 and of gpt-5.5. */
const vndFor = (tokens: number, perMtok: number) => String((tokens * perMtok) / 1e6)

const seenBody = async () => JSON.parse((await gateway.seen()).last.at(-1)!.body) as Record<string, number>

describe("a stream's hold", () => {
  it("grows while it runs, and only what was used is charged", async () => {
    const mine = await gateway.account("100")
    const call = messagesCall("[sim: tokens=400 interval=1]", { stream: true, max_tokens: 1000 })
    const answer = await ask(gateway, mine.key, "/v1/messages", call)
    assert.include(answer.text, "message_stop")
    const [row] = await gateway.calls(mine.accountId, 1)
    assert.deepStrictEqual([row!.status, row!.output_tokens, row!.estimated], [200, 400, false])
    assert.strictEqual(await gateway.balance(mine.accountId), 100_000_000n - row!.cost_micro_vnd)
  })

  for (const [path, call, perMtok] of [
    ["/v1/messages", messagesCall("[sim: tokens=3000 interval=1]", { stream: true, max_tokens: 4000 }), 6500],
    ["/v1/chat/completions", chatCall("[sim: tokens=3000 interval=1]", { stream: true }), 2400]
  ] as const) {
    it(`of ${path} that can not grow ends the stream with insufficient_balance and charges what came`, async () => {
      const mine = await gateway.account(vndFor(300, perMtok))
      const { aborted } = await gateway.seen()
      const answer = await ask(gateway, mine.key, path, call)
      assert.strictEqual(answer.status, 200)
      const last = answer.text.trimEnd().split("\n\n").at(-1)!
      assert.include(last, '"insufficient_balance"')
      assert.include(last, "/dashboard/topup")
      assert.notMatch(answer.text, /message_stop|\[DONE\]/)
      await gateway.seen({ aborted: aborted + 1 })
      const [row] = await gateway.calls(mine.accountId, 1)
      assert.deepStrictEqual([row!.status, row!.error_type], [402, "insufficient_balance"])
      assert.isAbove(row!.output_tokens, 20)
      const balance = await gateway.balance(mine.accountId)
      assert.isTrue(balance >= 0n)
      assert.strictEqual(balance, BigInt(300 * perMtok) - row!.cost_micro_vnd)
      const { cost_vnd: logged } = JSON.parse(await gateway.logged(answer.id)) as {
        readonly cost_vnd: string
      }
      assert.strictEqual(parseVnd(logged), row!.cost_micro_vnd)
    })
  }
})

describe("a call whose input alone is more than the wallet pays for", () => {
  it("is 402 and reaches nobody, streamed or not, while a shorter one is served", async () => {
    const mine = await gateway.account(vndFor(100, 6500))
    const { started } = await gateway.seen()
    for (const stream of [false, true]) {
      const long = messagesCall("word ".repeat(300), { stream, max_tokens: 10 })
      expectError(await ask(gateway, mine.key, "/v1/messages", long), 402, "insufficient_balance")
    }
    assert.strictEqual((await gateway.seen()).started, started)
    const short = await ask(gateway, mine.key, "/v1/messages", messagesCall("Hello", { max_tokens: 10 }))
    assert.strictEqual(short.status, 200)
    const rows = await gateway.calls(mine.accountId, 3)
    assert.deepStrictEqual(
      rows.map(({ cost_micro_vnd: cost, status }) => [status, cost > 0n]),
      [
        [402, false],
        [402, false],
        [200, true]
      ]
    )
  })
})

describe("a plain call's cap", () => {
  it("is lowered to what the wallet covers", async () => {
    const mine = await gateway.account(vndFor(400, 6500))
    const call = messagesCall("[sim: tokens=5000]", { max_tokens: 4000 })
    const answer = await ask(gateway, mine.key, "/v1/messages", call)
    assert.strictEqual(answer.status, 200, answer.text)
    const { max_tokens: cap } = await seenBody()
    assert.isBelow(cap!, 400)
    assert.isAbove(cap!, 100)
    assert.isTrue((await gateway.balance(mine.accountId)) >= 0n)
  })

  it("is written where the client gave none, and shared by the answers asked for", async () => {
    const mine = await gateway.account(vndFor(4000, 2400))
    const answer = await ask(gateway, mine.key, "/v1/chat/completions", chatCall("Hello", { n: 4 }))
    assert.strictEqual(answer.status, 200, answer.text)
    const { max_completion_tokens: cap } = await seenBody()
    assert.isAtMost(cap!, 1000)
    assert.isAbove(cap!, 500)
    assert.isTrue((await gateway.balance(mine.accountId)) >= 0n)
  })

  it("stays as it is where the wallet covers it, for each of the answers asked for", async () => {
    const mine = await gateway.account()
    await ask(gateway, mine.key, "/v1/messages", messagesCall("Hello", { max_tokens: 777 }))
    assert.strictEqual((await seenBody())["max_tokens"], 777)
    const four = chatCall("Hello", { n: 4, max_completion_tokens: 777 })
    await ask(gateway, mine.key, "/v1/chat/completions", four)
    assert.strictEqual((await seenBody())["max_completion_tokens"], 777)
  })

  it("of zero, which fills the provider's cache, goes up as it is and costs the input alone", async () => {
    const mine = await gateway.account(vndFor(200, 6500))
    const answer = await ask(gateway, mine.key, "/v1/messages", messagesCall("Hello", { max_tokens: 0 }))
    assert.strictEqual(answer.status, 200, answer.text)
    assert.strictEqual((await seenBody())["max_tokens"], 0)
    assert.deepStrictEqual(JSON.parse(answer.text).content, [])
    const [row] = await gateway.calls(mine.accountId, 1)
    assert.deepStrictEqual([row!.status, row!.output_tokens, row!.estimated], [200, 0, false])
    assert.strictEqual(row!.cost_micro_vnd, BigInt(row!.input_tokens) * 6500n)
    assert.isAbove(row!.input_tokens, 0)
  })
})

describe("200 callers at once on a wallet that pays for 50 calls", () => {
  it("get exactly 50 answers at a fixed price, the others 402, and nothing is overdrawn", async () => {
    const mine = await gateway.account(String(50 * 230))
    const call = { ...chatCall("[sim: latency=50]"), model: "req/deepseek-v4-flash" }
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => ask(gateway, mine.key, "/v1/chat/completions", call))
    )
    for (const answer of answers) {
      if (answer.status !== 200) expectError(answer, 402, "insufficient_balance", "chat")
    }
    assert.strictEqual(answers.filter(({ status }) => status === 200).length, 50)
    assert.strictEqual((await gateway.calls(mine.accountId, 200)).length, 200)
    assert.strictEqual(await gateway.balance(mine.accountId), 0n)
  })

  it("are never charged more than there is when they pay by tokens, streamed or not", async () => {
    const mine = await gateway.account(vndFor(50 * 60, 6500))
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        ask(
          gateway,
          mine.key,
          "/v1/messages",
          messagesCall("[sim: tokens=16]", { max_tokens: 16, stream: index % 2 === 0 })
        )
      )
    )
    assert.isTrue(answers.every(({ status }) => status === 200 || status === 402))
    const rows = await gateway.calls(mine.accountId, 200)
    const spent = rows.reduce((sum, row) => sum + row.cost_micro_vnd, 0n)
    const balance = await gateway.balance(mine.accountId)
    assert.isTrue(balance >= 0n)
    assert.strictEqual(balance, BigInt(50 * 60 * 6500) - spent)
    assert.isAtLeast(rows.filter(({ status }) => status === 200).length, 20)
  })

  it("are not overdrawn when more comes in one piece than is held for", async () => {
    const mine = await gateway.account(vndFor(50 * 60, 6500))
    // 60 tokens arrive at once, and 16 are held for to begin with.
    const answers = await Promise.all(
      Array.from({ length: 100 }, () =>
        ask(
          gateway,
          mine.key,
          "/v1/messages",
          messagesCall("[sim: tokens=60]", { max_tokens: 200, stream: true })
        )
      )
    )
    const texts = answers.map(({ text }) => text)
    await gateway.calls(mine.accountId, 100)
    assert.isTrue((await gateway.balance(mine.accountId)) >= 0n)
    // What was cut off says so, and never looks complete.
    for (const text of texts.filter((text) => !text.includes("message_stop"))) {
      assert.include(text, "insufficient_balance")
    }
  })
})

describe("20 answers of 9,000 tokens with a cap of 1, on a wallet that pays for less than one", () => {
  const model = "qwen3.7-plus"

  for (const what of ["tokens=9000", "tokens=5 hidden=8995"]) {
    it(`are cut where the wallet ends when they are streamed (${what})`, async () => {
      const mine = await gateway.account("10")
      const call = chatCall(what, { model, stream: true, max_tokens: 1 })
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => ask(gateway, mine.key, "/v1/chat/completions", call))
      )
      for (const { text } of answers) {
        assert.include(text, "insufficient_balance")
        assert.notInclude(text, "[DONE]")
      }
      const rows = await gateway.calls(mine.accountId, 20)
      assert.isTrue(rows.every(({ status }) => status === 402))
      // What was passed on is about what was paid for: 6,250 tokens are all there is.
      const passed = answers.reduce((sum, { text }) => sum + text.split('"content"').length - 1, 0)
      assert.isAtMost(passed, 8_000)
      assert.isTrue((await gateway.balance(mine.accountId)) >= 0n)
    })

    it(`overdraw it by one of them at most when they come whole (${what})`, async () => {
      const mine = await gateway.account("10")
      const call = chatCall(what, { model, max_tokens: 1 })
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => ask(gateway, mine.key, "/v1/chat/completions", call))
      )
      assert.strictEqual(answers.filter(({ status }) => status === 200).length, 1)
      const rows = await gateway.calls(mine.accountId, 20)
      const served = rows.find(({ status }) => status === 200)
      assert.deepStrictEqual([served!.output_tokens, served!.estimated], [9_000, false])
      assert.strictEqual(await gateway.balance(mine.accountId), 10_000_000n - served!.cost_micro_vnd)
    })
  }
})

describe("a client that leaves behind the count of 9,000 tokens, with a cap of 64", () => {
  it.each(["tokens=9000 stays=1", "tokens=5 hidden=8995 stays=1"])(
    "pays for all of them (%s)",
    async (what) => {
      const mine = await gateway.account("1000")
      const asked = { stream: true, max_tokens: 64, stream_options: { include_usage: true } }
      const body = chatCall(what, { model: "qwen3.7-plus", ...asked })
      const client = await openStream(gateway, mine.key, "/v1/chat/completions", body)
      await client.until('"usage":{')
      client.leave()
      const [row] = await gateway.calls(mine.accountId, 1)
      assert.deepStrictEqual([row!.status, row!.output_tokens, row!.estimated], [499, 9_000, false])
      assert.strictEqual(row!.cost_micro_vnd, 9_010n * 1_600n)
    }
  )
})

describe("a provider's count that can not be", () => {
  const model = "mistral-large-2512"
  const counts = [
    { prompt_tokens: 10, completion_tokens: 900_000_000, total_tokens: 900_000_010 },
    { prompt_tokens: 900_000_000, completion_tokens: 5, total_tokens: 900_000_005 },
    { prompt_tokens: 10, completion_tokens: 150_000, total_tokens: 150_010 },
    { prompt_tokens: 10, completion_tokens: -5, total_tokens: 5 },
    { prompt_tokens: 10, completion_tokens: 2.5, total_tokens: 12.5 }
  ]

  for (const stream of [false, true]) {
    it(`costs what our own bound does, and is logged and counted (stream: ${stream})`, async () => {
      const mine = await gateway.account("1000")
      const name = "tollgate_usage_disbelieved_total"
      const before = sumOf(await readMetrics(gateway.url), name, { model })
      for (const says of counts) {
        const call = chatCall(`tokens=20 says=${JSON.stringify(says)}`, { model, stream, max_tokens: 100 })
        const answer = await ask(gateway, mine.key, "/v1/chat/completions", call)
        assert.strictEqual(answer.status, 200, answer.text)
      }
      for (const row of await gateway.calls(mine.accountId, counts.length)) {
        assert.isTrue(row.estimated)
        assert.isAtMost(row.input_tokens + row.output_tokens, 200)
        assert.isAtLeast(row.output_tokens, 5)
      }
      assert.strictEqual(sumOf(await readMetrics(gateway.url), name, { model }) - before, counts.length)
      for (const { id } of await gateway.calls(mine.accountId)) {
        const told = await until(() =>
          gateway.log
            .split("\n")
            .find((line) => line.includes(id) && line.includes("told a usage that can not be"))
        )
        assert.include(told, '"provider":"mistral"')
      }
      // 1,000 tokens at 1,700 VND for a million.
      assert.isTrue((await gateway.balance(mine.accountId)) > 998_300_000n)
    })
  }
})
