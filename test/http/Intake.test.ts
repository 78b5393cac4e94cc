import { assert, describe, it } from "@effect/vitest"
import type { HttpResponse } from "uWebSockets.js"
import { Intake } from "../../src/http/Intake.ts"

describe("the intake of a connection", () => {
  it("is stopped and started once each, and is given time only while it runs", () => {
    const told: Array<string> = []
    const res = { pause: () => told.push("pause"), resume: () => told.push("resume") }
    const intake = new Intake(res as unknown as HttpResponse)
    const after = (act: () => void) => {
      act()
      return [intake.paused, ...told.splice(0)]
    }
    assert.deepStrictEqual(
      after(() => intake.resume()),
      [false]
    )
    assert.deepStrictEqual(
      after(() => intake.giveTime()),
      [false, "pause", "resume"]
    )
    assert.deepStrictEqual(
      after(() => intake.pause()),
      [true, "pause"]
    )
    assert.deepStrictEqual(
      after(() => intake.pause()),
      [true]
    )
    assert.deepStrictEqual(
      after(() => intake.giveTime()),
      [true]
    )
    assert.deepStrictEqual(
      after(() => intake.resume()),
      [false, "resume"]
    )
  })
})
