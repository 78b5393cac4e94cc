/** On what terms images and speech go up: what is not priced is not bought. */
import { assert, describe, it } from "@effect/vitest"
import { preparePlain } from "../../src/compute/prepare-plain.ts"
import type { Model } from "../../src/domain/catalogue.ts"
import { readTiers } from "../../src/domain/surcharge-records.ts"
import { modelNamed } from "../catalogue.ts"
import { noSurcharges } from "../wire/models.ts"

const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex").toString("base64")
const image = modelNamed("req/gpt-image-2")
const calls = [
  ["images_generations", image, { prompt: "x", quality: "low" }],
  ["images_edits", image, { prompt: "x", image: png }],
  ["audio_speech", modelNamed("req/gpt-4o-mini-tts"), { input: "x", voice: "alloy", speed: 1.5 }]
] as const

describe.each(calls)("a call of %s", (row, plain, asked) => {
  const sentBy = (service_tier: unknown, tiers: Record<string, number> = {}) => {
    const model: Model = { ...plain, surcharges: { ...noSurcharges, tiers: readTiers(tiers) } }
    const body = Buffer.from(JSON.stringify({ model: model.id, ...asked, service_tier }))
    const { bytes, terms } = preparePlain({ row, body, model })
    const text = Buffer.from(bytes).toString("latin1")
    const told = /"service_tier":"(\w+)"|name="service_tier"\r\n\r\n(\w+)\r\n/.exec(text)
    return [told?.[1] ?? told?.[2], terms.tier]
  }

  it.each([
    ["no tier", undefined, {}, undefined],
    ["a dearer tier that has no price", "priority", {}, "default"],
    ["a dearer tier", "priority", { priority: 2 }, "priority"],
    ["a cheaper tier", "flex", {}, "flex"],
    ["the standard", "auto", { priority: 2 }, "auto"]
  ] as const)("asks for %s", (_, tier, tiers, sent) => {
    assert.deepStrictEqual(sentBy(tier, tiers), [sent, sent])
  })
})
