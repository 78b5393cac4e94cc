/** Faults that nobody catches, put into the running program: each ends the work it belongs to, and no more. */
import { assert } from "@effect/vitest"
import { request } from "node:http"
import { afterAll, beforeAll, describe, it } from "vitest"
import { startGateway, type TestGateway } from "../gateway/start-gateway.ts"
import { post } from "../gateway/open-stream.ts"
import { ask, plainLinesOf } from "./calls.ts"
import { readMetrics, sumOf } from "./read-metrics.ts"
import { until } from "../until.ts"

const slow = ask("[sim: tokens=60 interval=25]", { stream: true })
const preload = new URL("inject-faults.mjs", import.meta.url).href

let gateway: TestGateway
let key: string
beforeAll(async () => {
  gateway = await startGateway({
    env: { GATEWAY_THREADS: "2", NODE_OPTIONS: `--import ${preload}` }
  })
  key = (await gateway.account("100000")).key
})
afterAll(() => gateway.stop())

/** Sends a request that is answered by a fault, and waits until its connection is gone. */
const fault = (path: string) =>
  new Promise((resolve) => {
    const sent = request(`${gateway.url}${path}`, { method: "POST", agent: false })
    sent.on("error", () => {})
    sent.once("close", resolve)
    sent.end("body")
  })
const restarts = async () => sumOf(await readMetrics(gateway.url), "tollgate_thread_restarts_total")
const bothListen = () =>
  until(async () => {
    const metrics = await readMetrics(gateway.url).catch(() => undefined)
    return metrics?.get("tollgate_open_calls")?.samples.length === 2
  })

describe("a fault in a callback of uWebSockets.js, under load", () => {
  it.each(["data", "timer"])("ends its thread alone (%s)", async (where) => {
    await bothListen()
    const before = await restarts()
    const streams = await Promise.all(
      Array.from({ length: 16 }, () => post(`${gateway.url}/v1/messages`, key, slow))
    )
    await fault(`/fault-${where}`)
    await until(async () => (await restarts().catch(() => before)) === before + 1)
    const ends = await Promise.all(streams.map(({ ended }) => ended))
    assert.isAbove(ends.filter(({ complete }) => complete).length, 0, "the other thread's calls go on")
    assert.isNull(gateway.exitCode)
    await gateway.logged(`Error: injected /fault-${where}`)
  })

  it("that is there before anything is served ends its connection alone", async () => {
    await bothListen()
    const before = await restarts()
    const stream = await post(`${gateway.url}/v1/messages`, key, slow)
    await fault("/fault-at-once")
    assert.isTrue((await stream.ended).complete)
    assert.strictEqual(await restarts(), before)
    await gateway.logged("A request was broken off by a fault of the gateway")
  })

  it("that only a library has thrown ends nothing", async () => {
    await bothListen()
    const before = await restarts()
    const stream = await post(`${gateway.url}/v1/messages`, key, slow)
    const sent = request(`${gateway.url}/fault-library`, { method: "POST", agent: false })
    sent.on("error", () => {})
    sent.end("body")
    await until(() => gateway.log.includes("A library threw where nobody could catch it"))
    assert.isTrue((await stream.ended).complete)
    sent.destroy()
    assert.strictEqual(await restarts(), before)
  })
})

describe("a fault in the main thread", () => {
  it("of a library ends nothing, and is told without what was to be read", async () => {
    const told = () => gateway.log.split("A library threw where nobody could catch it").length
    const before = told()
    gateway.signal("SIGUSR2")
    await until(() => told() > before)
    assert.strictEqual((await post(`${gateway.url}/v1/messages`, key, ask("Hello"))).status, 200)
    assert.notInclude(gateway.output, "a prompt")
    assert.deepStrictEqual(plainLinesOf(gateway.log), [])
  })

  it("of our own ends the program in order: calls under way are finished and charged", async () => {
    const { accountId, key } = await gateway.account("100000")
    const stream = await post(`${gateway.url}/v1/messages`, key, slow)
    gateway.signal("SIGWINCH")
    const { complete, text } = await stream.ended
    assert.isTrue(complete)
    assert.include(text, "message_stop")
    await until(() => gateway.exitCode !== null)
    assert.strictEqual(gateway.exitCode, 1)
    const [row] = await gateway.calls(accountId, 1)
    assert.isAbove(Number(row!.cost_micro_vnd), 0)
    await gateway.logged("a fault of our own")
  })
})
