/** Which items of an input a provider has to look up by their ids: none where the input is converted. */
import { assert, describe, it } from "@effect/vitest"
import { prepareCall } from "../../src/compute/prepare-call.ts"
import { wayTo } from "../../src/formats/pairs.ts"
import { modelNamed } from "../catalogue.ts"

const input = [
  { role: "user", content: "Hi" },
  { type: "reasoning", id: "rs_1", summary: [] },
  { type: "image_generation_call", id: "ig_1", revised_prompt: "a cat" },
  { role: "user", content: "And now?" }
]

const lookedUp = (id: string): ReadonlyArray<string> => {
  const model = modelNamed(id)
  const body = Buffer.from(JSON.stringify({ model: id, input }))
  return prepareCall({ way: wayTo("responses", model)!, body, model, anthropicBeta: "" }).referencedItems
}

describe("items without content", () => {
  it("are looked up by who speaks Responses", () => {
    assert.deepStrictEqual(lookedUp("gpt-5.5"), ["rs_1", "ig_1"])
  })

  it.each(["claude-sonnet-5", "kimi-k2.6", "svc/nova-2-lite", "svc/claude-sonnet-5"])(
    "are left out on the way to %s, whoever made them",
    (id) => {
      assert.isEmpty(lookedUp(id))
    }
  )
})
