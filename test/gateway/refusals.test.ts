/** What a caller is told of a budget that is spent. */
import { assert, describe, it } from "@effect/vitest"
import { refusalOf } from "../../src/gateway/admission.ts"

const hourMs = 3_600_000

const told = (resetsAtMs: number | undefined) =>
  refusalOf({ _tag: "OverBudget", of: "key", resetsAtMs }, "https://tollgate.example").message

describe("a budget that is spent", () => {
  it("is told with the moment at which it begins anew, if it does", () => {
    assert.match(told(Date.now() + hourMs), /is spent\. It begins anew at 20\d\d-.*\+07:00; it can be raised/)
    assert.match(told(undefined), /is spent\. It does not begin anew; it can be raised/)
  })

  it("of a period that ended under the call says that later calls have a new one", () => {
    assert.match(
      told(Date.now() - hourMs),
      /is spent\. It began anew at 20\d\d-.*\+07:00, for calls made since;/
    )
  })
})
