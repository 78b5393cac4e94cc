import { assert } from "@effect/vitest"
import { afterAll, beforeAll, describe, it } from "vitest"
import { KillRun } from "../chaos/KillRun.ts"
import { startGateway, type TestGateway } from "../gateway/start-gateway.ts"
import { Random } from "../Random.ts"

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

const seed = Date.now() % 1_000_000_000

describe("a gateway that is killed at random moments under load", () => {
  it(`charges every call whose end a client saw exactly once, and no other, seed ${seed}`, async () => {
    const report = await new KillRun(gateway, new Random(seed)).run(4)
    assert.deepStrictEqual(report.problems, [])
    assert.isAbove(report.callsSeen, 50)
    assert.isAbove(report.callsLost, 0)
  })
})
