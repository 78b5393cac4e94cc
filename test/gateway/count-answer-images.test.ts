import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { imagesAsked } from "../../src/formats/images/generation.ts"
import { countAnswerImages } from "../../src/gateway/count-answer-images.ts"
import { itWith } from "../shared-folder.ts"
import { readFixture } from "./recorded-traffic.ts"

const count = (answer: unknown) => Effect.runSyncExit(countAnswerImages(Buffer.from(JSON.stringify(answer))))

describe("an image call", () => {
  it("is paid by the images that came back, and is no success without any", () => {
    assert.deepStrictEqual(count({ data: [{ b64_json: "" }, { url: "" }] }), Exit.succeed(2))
    for (const answer of [{ data: "rubbish" }, { data: [] }, {}, []])
      assert.isTrue(Exit.isFailure(count(answer)))
  })

  it("is not paid by what came back without a picture, as what a filter has kept back", () => {
    const picture = { b64_json: "iVBORw0KGgo=", revised_prompt: "null" }
    const kept = { b64_json: null, respect_moderation: false }
    assert.deepStrictEqual(
      count({ data: [kept, picture, null, {}, { url: "https://a/b.png" }] }),
      Exit.succeed(2)
    )
    for (const none of [kept, null, {}, { b64_json: null, url: null, revised_prompt: "A house" }])
      assert.isTrue(Exit.isFailure(count({ data: [none] })))
  })

  itWith("fixtures", "counts a recorded answer", () => {
    const { request, response } = JSON.parse(readFixture("images/generation.json"))
    assert.deepStrictEqual(count(response.body), Exit.succeed(imagesAsked(request.body)))
  })
})
