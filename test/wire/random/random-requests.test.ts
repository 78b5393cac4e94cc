/** Requests by chance, of all that the official clients' types know, on their way to models that speak otherwise. */
import { assert, describe, it } from "@effect/vitest"
import type { TextEndpoint } from "../../../src/domain/call.ts"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { seeds } from "../../Random.ts"
import { checkConversion, type MadeCall } from "./check-conversion.ts"
import { makers, models } from "./makers.ts"
import { shrunk } from "./shrink.ts"
import { Words } from "./Words.ts"

const complaintOf = (call: MadeCall, words: Words): string | undefined => {
  try {
    checkConversion(call, words)
    return undefined
  } catch (error) {
    return String(error)
  }
}

const check = (call: MadeCall, words: Words): ReturnType<typeof checkConversion> => {
  const complaint = complaintOf(call, words)
  if (complaint === undefined) return checkConversion(call, words)
  const kind = complaint.slice(0, 40)
  const fails = (request: JsonObject) => complaintOf({ ...call, request }, words)?.slice(0, 40) === kind
  return assert.fail(`${complaint}\n${JSON.stringify(shrunk(call.request, fails))}`)
}

describe.each(Object.keys(makers) as ReadonlyArray<TextEndpoint>)(
  "what a client of %s may ask for",
  (endpoint) => {
    it.each(seeds(30))("is taken by every model's provider as it is converted, by chance of %i", (seed) => {
      for (const model of models) {
        const words = new Words(seed)
        check({ endpoint, model, request: makers[endpoint](words) }, words)
      }
    })

    it("is seldom refused", () => {
      const became = seeds(30).map((seed) => {
        const words = new Words(seed)
        return check({ endpoint, model: "kimi-k2.6", request: makers[endpoint](words) }, words)
      })
      assert.isAtLeast(became.filter((each) => each !== "refused").length, 20)
    })
  }
)
