/** Threads that die under open calls: what is lost, what goes on, and what comes back. */
import { assert } from "@effect/vitest"
import { afterAll, beforeAll, describe, it } from "vitest"
import { startGateway, type TestGateway } from "../gateway/start-gateway.ts"
import { readMetrics, sumOf } from "./read-metrics.ts"
import { post } from "../gateway/open-stream.ts"
import { ask, plainLinesOf } from "./calls.ts"
import { until } from "../until.ts"

const slow = ask("[sim: tokens=150 interval=50]", { stream: true })

const callsUntilAnswered = (url: string, key: string): Promise<true> =>
  until(async () => {
    const answer = await post(`${url}/v1/messages`, key, ask("Hello")).catch(() => undefined)
    return answer?.status === 200 ? true : undefined
  })

describe("a gateway thread that dies", () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startGateway({ env: { GATEWAY_THREADS: "2", TOLLGATE_TEST_CRASH: "gateway" } })
  })
  afterAll(() => gateway.stop())

  it("takes only its own calls with it, frees their holds, and is replaced; the process lives on", async () => {
    const { accountId, key } = await gateway.account("100000")
    const { pid } = gateway
    // The kernel spreads connections over both threads.
    const streams = await Promise.all(
      Array.from({ length: 24 }, () => post(`${gateway.url}/v1/messages`, key, slow))
    )
    assert.strictEqual(sumOf(await readMetrics(gateway.url), "tollgate_holds"), 24)
    gateway.signal("SIGUSR2")
    const ends = await Promise.all(streams.map(({ ended }) => ended))
    const complete = ends.filter((end) => end.complete && end.text.includes("message_stop"))
    const cut = ends.filter((end) => !end.complete)
    assert.strictEqual(complete.length + cut.length, 24)
    assert.isAbove(complete.length, 0, "the other thread's calls go on")
    assert.isAbove(cut.length, 0, "the thread that died had calls")
    for (const end of cut) assert.notInclude(end.text, "message_stop")

    assert.strictEqual(gateway.pid, pid)
    assert.isNull(gateway.exitCode)
    const rows = await gateway.calls(accountId, complete.length)
    assert.strictEqual(rows.filter((row) => row.cost_micro_vnd > 0n).length, complete.length)
    await callsUntilAnswered(gateway.url, key)
    const metrics = await until(async () => {
      const now = await readMetrics(gateway.url)
      return sumOf(now, "tollgate_holds") === 0 && now.get("tollgate_open_calls")!.samples.length === 2 && now
    })
    assert.strictEqual(sumOf(metrics, "tollgate_thread_restarts_total"), 1)
    assert.match(gateway.log, /Gateway thread 0 ended, its holds are released/)
    assert.deepStrictEqual(plainLinesOf(gateway.log), [])
    // No upstream request outlives its call.
    assert.strictEqual((await gateway.seen({ started: 25, openStreams: 0 })).openStreams, 0)
  })

  it("does not make the counters fall, and is replaced as often as it dies", async () => {
    const { key } = await gateway.account("100000")
    for (let call = 0; call < 20; call++) {
      await (
        await post(`${gateway.url}/v1/messages`, key, ask("Hello"))
      ).ended
    }
    const before = await readMetrics(gateway.url)
    gateway.signal("SIGUSR2")
    const restarted = (metrics: typeof before) => sumOf(metrics, "tollgate_thread_restarts_total") === 2
    const after = await until(async () => {
      const now = await readMetrics(gateway.url).catch(() => undefined)
      return (
        now !== undefined && restarted(now) && now.get("tollgate_open_calls")!.samples.length === 2 && now
      )
    })
    for (const name of [
      "tollgate_calls_total",
      "tollgate_charged_vnd_total",
      "tollgate_input_tokens_total"
    ]) {
      assert.isAtLeast(sumOf(after, name), sumOf(before, name), name)
    }
    await callsUntilAnswered(gateway.url, key)
  })
})

describe("a dashboard thread that dies", () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startGateway({ env: { TOLLGATE_TEST_CRASH: "dashboard", DASHBOARD: "on" } })
  })
  afterAll(() => gateway.stop())

  const dashboardStatus = async () =>
    (await fetch(`${gateway.url}/dashboard/`, { redirect: "manual" })).status

  it("does not hurt a call nor the process, and comes back", async () => {
    const { accountId, key } = await gateway.account("100000")
    await until(async () => (await dashboardStatus()) < 500, 60)
    const stream = await post(`${gateway.url}/v1/messages`, key, slow)
    gateway.signal("SIGUSR2")
    await until(() => gateway.output.includes("The dashboard has failed"))
    // It waits for the next one, unless that takes very long.
    const page = dashboardStatus()
    assert.strictEqual((await post(`${gateway.url}/v1/messages`, key, ask("Hello"))).status, 200)
    assert.include([200, 502, 503], await page)
    await until(async () => (await dashboardStatus()) < 500)
    const { complete, text } = await stream.ended
    assert.isTrue(complete)
    assert.include(text, "message_stop")
    assert.strictEqual((await gateway.calls(accountId, 2)).length, 2)
    assert.deepStrictEqual(plainLinesOf(gateway.log), [])
  })

  it("writes what its libraries say as lines of the log, and nothing of who it is about", async () => {
    await until(async () => (await dashboardStatus()) < 500, 60)
    const signIn = (path: string, body: string) =>
      fetch(`${gateway.url}/dashboard/api/auth${path}`, {
        method: "POST",
        headers: { origin: gateway.url, "content-type": "application/json" },
        body
      }).then(({ status }) => status)
    const person = { email: "someone@example.com", password: "some password", name: "Someone" }
    assert.deepStrictEqual(
      [
        await signIn("/sign-up/email", JSON.stringify(person)),
        await signIn("/sign-in/email", JSON.stringify({ ...person, password: "wrong password" })),
        await signIn("/sign-in/email", JSON.stringify({ ...person, email: "nobody@example.com" })),
        await signIn("/sign-in/email", "{"),
        await signIn("/reset-password", JSON.stringify({ newPassword: "some password", token: "x" }))
      ],
      [200, 401, 401, 400, 400]
    )
    await until(() => gateway.log.includes("Invalid password"))
    assert.deepStrictEqual(plainLinesOf(gateway.log), [])
    assert.notInclude(gateway.output, "Better Auth")
    assert.notInclude(gateway.output, "@example.com")
  })
})
