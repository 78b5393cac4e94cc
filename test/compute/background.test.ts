/** Work that would go on behind an answer is refused, with the reason that holds for the model. */
import { assert, describe, it } from "@effect/vitest"
import { prepareCall } from "../../src/compute/prepare-call.ts"
import { wayTo } from "../../src/formats/pairs.ts"
import { modelNamed } from "../catalogue.ts"

const prepare = (id: string, background: unknown) => {
  const model = modelNamed(id)
  const body = Buffer.from(JSON.stringify({ model: id, input: "Hi", background }))
  return prepareCall({ way: wayTo("responses", model)!, body, model, anthropicBeta: "" })
}

describe("a response in the background", () => {
  it.each([
    ["gpt-5.5", /can not be fetched later/],
    ["claude-sonnet-5", /keeps no conversations; send the whole input/],
    ["kimi-k2.6", /keeps no conversations; send the whole input/],
    ["svc/nova-2-lite", /keeps no conversations; send the whole input/]
  ] as const)("is refused of %s", (id, reason) => {
    for (const background of [true, "yes"]) assert.throws(() => prepare(id, background), reason)
    for (const background of [false, null]) assert.doesNotThrow(() => prepare(id, background))
  })
})
