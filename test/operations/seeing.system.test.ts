/** What an operator sees of the running service: pages, metrics and logs. */
import { assert } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, it } from "vitest"
import { type TestAccount, type TestGateway, startGateway } from "../gateway/start-gateway.ts"
import { parseMetrics, readMetrics, sumOf } from "./read-metrics.ts"
import { leaveBeforeAnswer, post } from "../gateway/open-stream.ts"
import { ask } from "./calls.ts"
import { deadPort } from "../upstream/stub-providers.ts"
import { until } from "../until.ts"

let gateway: TestGateway
let account: TestAccount
beforeAll(async () => {
  const nobody = `http://127.0.0.1:${await deadPort()}/v1`
  gateway = await startGateway({ routes: { deepseek: [{ base_url: nobody, api_key: "simulated" }] } })
  account = await gateway.account("100000")
})
afterAll(() => gateway.stop())

const messages = (prompt: string, fields = {}) =>
  post(`${gateway.url}/v1/messages`, account.key, ask(prompt, fields))

describe("the pages of operations", () => {
  it("say that the process lives and is ready", async () => {
    assert.strictEqual(await (await fetch(`${gateway.url}/healthz`)).text(), "ok")
    assert.deepStrictEqual(await (await fetch(`${gateway.url}/readyz`)).json(), { ready: true })
  })

  it("need no key and tell no secret", async () => {
    await (
      await messages("Hello")
    ).ended
    const text = await (await fetch(`${gateway.url}/metrics`)).text()
    assert.notInclude(text, account.key)
    assert.notInclude(text, account.accountId)
    assert.notInclude(text, 'simulated"')
  })
})

/** What issue and dashboards count on. */
const promised = [
  "tollgate_calls_total",
  "tollgate_input_tokens_total",
  "tollgate_output_tokens_total",
  "tollgate_charged_vnd_total",
  "tollgate_call_duration_seconds",
  "tollgate_first_byte_seconds",
  "tollgate_open_calls",
  "tollgate_open_streams",
  "tollgate_holds",
  "tollgate_held_vnd",
  "tollgate_journal_queue",
  "tollgate_journal_commits_total",
  "tollgate_journal_commit_seconds_total",
  "tollgate_circuit_open",
  "tollgate_event_loop_delay_seconds",
  "tollgate_heap_bytes",
  "tollgate_codec_queue",
  "tollgate_overdraft_vnd_total",
  "tollgate_database_available"
]

describe("the metrics", () => {
  it("are all there, in the form that Prometheus reads, and count what happened", async () => {
    // Calls are counted a moment after their answer.
    const earlier = await gateway.calls(account.accountId)
    const before = await until(async () => {
      const now = await readMetrics(gateway.url)
      return sumOf(now, "tollgate_calls_total") === earlier.length && now
    })
    const answer = await messages("Hello")
    await answer.ended
    await (
      await messages("[sim: status=500]")
    ).ended
    await (
      await messages("[sim: tokens=3]", { stream: true })
    ).ended
    const rows = await gateway.calls(account.accountId, earlier.length + 3)
    const after = await until(async () => {
      const now = await readMetrics(gateway.url)
      const isOver = sumOf(now, "tollgate_open_calls") === 0
      return isOver && sumOf(now, "tollgate_calls_total") === earlier.length + 3 && now
    })
    for (const name of promised) assert.isTrue(after.has(name), name)
    const labels = { endpoint: "messages", model: "claude-sonnet-5" }
    const grown = (name: string, more: Record<string, string> = {}) =>
      sumOf(after, name, { ...labels, ...more }) - sumOf(before, name, { ...labels, ...more })
    assert.strictEqual(grown("tollgate_calls_total", { status: "200" }), 2)
    assert.strictEqual(grown("tollgate_calls_total", { status: "502" }), 1)
    const charged = rows.reduce((sum, row) => sum + row.cost_micro_vnd, 0n)
    assert.closeTo(sumOf(after, "tollgate_charged_vnd_total"), Number(charged) / 1e6, 1e-6)
  })

  it("have histograms whose buckets only grow and end with the count", async () => {
    const families = await readMetrics(gateway.url)
    const { name, samples } = families.get("tollgate_call_duration_seconds")!
    const buckets = samples.filter((each) => each.name === `${name}_bucket`)
    for (const endpoint of new Set(buckets.map(({ labels }) => labels["endpoint"]))) {
      const own = buckets.filter(({ labels }) => labels["endpoint"] === endpoint)
      for (const [index, bucket] of own.entries()) {
        assert.isTrue(index === 0 || bucket.value >= own[index - 1]!.value)
      }
      assert.strictEqual(own.at(-1)!.labels["le"], "+Inf")
      const count = samples.find(
        (each) => each.name === `${name}_count` && each.labels["endpoint"] === endpoint
      )
      assert.strictEqual(own.at(-1)!.value, count!.value)
    }
  })

  it("have each reason to close a connection before there was one, and quantiles in summaries alone", async () => {
    const families = await readMetrics(gateway.url)
    const { samples } = families.get("tollgate_client_connections_closed_total")!
    assert.sameMembers(
      samples.map(({ labels }) => labels["reason"]),
      ["descriptors", "address"]
    )
    for (const { name, samples, type } of families.values())
      assert.strictEqual(
        samples.some(({ labels }) => "quantile" in labels) && type !== "summary",
        false,
        name
      )
  })

  it("get no new series from what callers write", async () => {
    const count = async () =>
      [...(await readMetrics(gateway.url)).values()].reduce((sum, family) => sum + family.samples.length, 0)
    await (
      await messages("Hello", { model: "warm-up" })
    ).ended
    await (
      await messages("Hello", { model: "svc/warm-up" })
    ).ended
    const before = await count()
    for (let turn = 0; turn < 20; turn++) {
      await (
        await messages("Hello", { model: `no-such-${turn}` })
      ).ended
      await (
        await messages("Hello", { model: `svc/no-such-${turn}` })
      ).ended
    }
    assert.isAtMost(await count(), before + 2)
  })

  it("refuse to be read wrongly by their own test", () => {
    assert.throws(() => parseMetrics('# HELP a b\n# TYPE a counter\na{x="y} 1\n'))
    assert.throws(() => parseMetrics("a 1\n"))
  })
})

describe("what docs/operations offers", () => {
  it("names only metrics that are exported", async () => {
    const families = await readMetrics(gateway.url)
    const folder = fileURLToPath(new URL("../../docs/operations/", import.meta.url))
    const files = [...globSync("*.json", { cwd: folder }), ...globSync("*.rules.yaml", { cwd: folder })]
    assert.isAtLeast(files.length, 2)
    for (const file of files) {
      const named = new Set(
        [...readFileSync(folder + file, "utf8").matchAll(/\b(?:tollgate|process)_[a-z0-9_]+/g)].map(
          ([name]) => name
        )
      )
      assert.isAbove(named.size, 3, file)
      for (const name of named) {
        const family = name.replace(/_(bucket|sum|count)$/, "")
        assert.isTrue(families.has(name) || families.has(family), `${file} names ${name}`)
      }
    }
  })
})

describe("the log", () => {
  it("has one line of JSON for each call, with its attempts and without what was said", async () => {
    const answer = await messages("MARKER-of-the-prompt [sim: tokens=2]")
    await answer.ended
    const id = String(answer.headers["request-id"])
    const fields = JSON.parse(await gateway.logged(id)) as Record<string, unknown>
    assert.strictEqual(fields["status"], 200)
    assert.deepInclude((fields["attempts"] as ReadonlyArray<object>)[0], {
      route: "anthropic#0",
      outcome: 200
    })
    assert.notInclude(gateway.output, "MARKER-of-the-prompt")
    assert.notInclude(gateway.output, account.key)
  })

  it("is not filled by a problem that each call has", async () => {
    const before = sumOf(await readMetrics(gateway.url), "tollgate_usage_disbelieved_total")
    const calls = Array.from({ length: 30 }, async () => (await messages("[sim: usage=absurd]")).ended)
    await Promise.all(calls)
    await until(
      async () => sumOf(await readMetrics(gateway.url), "tollgate_usage_disbelieved_total") === before + 30
    )
    const line = JSON.parse(await gateway.logged("there was more of a problem")) as Record<string, unknown>
    const told = gateway.log.split('"message":"a provider told a usage that can not be"').length - 1
    assert.strictEqual(told, 20)
    assert.deepInclude(line, { problem: "a provider told a usage that can not be", count: 10 })
  })

  it("says why a provider could not be reached", async () => {
    const answer = await messages("Hello", { model: "deepseek-v4-flash" })
    const { attempts } = JSON.parse(await gateway.logged(answer.id)) as {
      readonly attempts: ReadonlyArray<object>
    }
    assert.deepInclude(attempts[0], { outcome: "connect", detail: "ECONNREFUSED" })
  })

  it("names the route that a call waited for when its client left", async () => {
    await leaveBeforeAnswer(gateway, account.key, "/v1/messages", ask("[sim: hang=headers]"))
    const { attempts } = JSON.parse(await gateway.logged('"status":499')) as {
      readonly attempts: ReadonlyArray<object>
    }
    assert.lengthOf(attempts, 1)
    assert.deepInclude(attempts[0], { route: "anthropic#0", outcome: "left" })
  })

  it("has nothing below the level that is set, of calls or of the program", async () => {
    for (const [level, isTold] of [
      ["info", true],
      ["error", false]
    ] as const) {
      const other = await startGateway({ env: { LOG_LEVEL: level } })
      const { key } = await other.account()
      await (
        await post(`${other.url}/v1/messages`, key, ask("[sim: tokens=2]"))
      ).ended
      await other.stop()
      for (const line of [/"level":"info","message":"Stopped"/, /"level":"info","message":"call"/]) {
        assert.strictEqual(line.test(other.output), isTold, `${level}: ${other.output}`)
      }
    }
  })
})
