/** Pools of all routes together: who shares one, what becomes of those that nobody uses, and what is counted. */
import { assert, describe, it } from "@effect/vitest"
import { steadyMs } from "../../src/telemetry/steady-clock.ts"
import { delay } from "../delay.ts"
import type { Route } from "../../src/config/settings.ts"
import { ConnectionPools } from "../../src/upstream/ConnectionPools.ts"
import { listening, request } from "./http1/collect.ts"
import { deadPort, endAfterEach, reply, routesTo, startStub } from "./stub-providers.ts"
import { until } from "../until.ts"

endAfterEach()

const callBy = (pools: ConnectionPools, route: Route) =>
  new Promise<string>((resolve) => {
    const onHead = ({ status }: { readonly status: number }) => resolve(String(status))
    pools.send(route, request, 1_000, listening({ onHead, onFailure: resolve }))
  })

const routeTo = async (port: number): Promise<Route> => routesTo(port)[0]!

describe("connections to all providers", () => {
  it("are shared by routes to one origin, whatever path and key they have", async () => {
    const stub = await startStub(reply(200))
    const pools = new ConnectionPools(assert.isUndefined)
    const route = await routeTo(stub.port)
    for (const path of ["", "/v1", "/v2"])
      for (const apiKey of ["a", "b"]) {
        assert.strictEqual(await callBy(pools, { ...route, baseUrl: route.baseUrl + path, apiKey }), "200")
        await delay(2)
      }
    assert.strictEqual(stub.open.size, 1)
    pools.close()
  })

  it("end where a route is configured no more, but for its calls under way; their counts stay", async () => {
    const [kept, gone] = [await startStub(reply(200)), await startStub(reply(200))]
    const pools = new ConnectionPools(assert.isUndefined)
    const [keptRoute, goneRoute] = [await routeTo(kept.port), await routeTo(gone.port)]
    await callBy(pools, keptRoute)
    await callBy(pools, goneRoute)
    await delay(2)
    pools.keepOnly([{ ...keptRoute }])
    await until(() => gone.open.size === 0)
    assert.strictEqual(kept.open.size, 1)
    // Calls that had it as their next route, one of them the first to come to it.
    for (const route of [goneRoute, { ...goneRoute }]) {
      assert.strictEqual(await callBy(pools, route), "200")
      await until(() => gone.open.size === 0)
    }
    pools.tick(steadyMs())
    const { origin } = new URL(goneRoute.baseUrl)
    assert.deepInclude(
      pools.numbers().find((each) => each.origin === origin),
      { open: 0, idle: 0, opened: 3 }
    )
    pools.close()
  })

  it("are counted: opened, idle, used again, failed by reason, sent again", async () => {
    const stub = await startStub(reply(200))
    const pools = new ConnectionPools(assert.isUndefined)
    const route = await routeTo(stub.port)
    await Promise.all([callBy(pools, route), callBy(pools, route)])
    await delay(2)
    await callBy(pools, route)
    await delay(2)
    const used = new Set(stub.open)
    stub.answer = (socket) => void (used.has(socket) ? socket.resetAndDestroy() : socket.write("rubbish"))
    assert.strictEqual(await callBy(pools, route), "malformed")
    const dead = await routeTo(await deadPort())
    assert.strictEqual(await callBy(pools, dead), "ECONNREFUSED")
    assert.deepStrictEqual(pools.numbers(), [
      {
        origin: new URL(route.baseUrl).origin,
        open: 1,
        idle: 1,
        connecting: 0,
        opened: 3,
        reused: 2,
        sentAgain: 1,
        failed: { reset: 1, malformed: 1 }
      },
      {
        origin: new URL(dead.baseUrl).origin,
        open: 0,
        idle: 0,
        connecting: 0,
        opened: 0,
        reused: 0,
        sentAgain: 0,
        failed: { refused: 1 }
      }
    ])
    pools.close()
  })
})
