import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { readImageGeneration } from "../../src/formats/images/generation.ts"
import { countAnswerImages } from "../../src/gateway/count-answer-images.ts"

const count = (answer: unknown) => Effect.runSyncExit(countAnswerImages(Buffer.from(JSON.stringify(answer))))

describe("an image call", () => {
  it("is paid by the images that came back, and is no success without any", () => {
    assert.deepStrictEqual(count({ data: [{ b64_json: "" }, { url: "" }] }), Exit.succeed(2))
    for (const answer of [{ data: "rubbish" }, { data: [] }, {}, []])
      assert.isTrue(Exit.isFailure(count(answer)))
  })

  it.skipIf(!existsSync("../shared/fixtures/images/generation.json"))("counts a recorded answer", () => {
    const { request, response } = JSON.parse(
      readFileSync("../shared/fixtures/images/generation.json", "utf8")
    )
    assert.deepStrictEqual(count(response.body), Exit.succeed(readImageGeneration(request.body).count))
  })
})
