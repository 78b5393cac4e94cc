/** Which of the models that are sold is meant by the name that a provider tells. */
import { assert, describe, it } from "@effect/vitest"
import type { Model } from "../../src/domain/catalogue.ts"
import { findOtherModel } from "../../src/gateway/find-other-model.ts"
import { modelNamed } from "../catalogue.ts"

const called = modelNamed("claude-sonnet-5")
const otherChannel = called.channel === "aws" ? "standard" : "aws"
const sold = (
  id: string,
  more: Partial<Model> & { readonly provider?: string; readonly model?: string }
): Model => {
  const { model = "opus", provider = called.upstream.provider, ...rest } = more
  return { ...called, id, upstream: { ...called.upstream, provider, model }, ...rest }
}
const own = sold("own", {})
const elsewhere = sold("elsewhere", { channel: otherChannel })
const foreign = sold("foreign", { provider: "other" })
const foreignChannel = sold("foreign-2", { provider: "other", channel: otherChannel })

const idOf = (name: string, ...models: ReadonlyArray<Model>) => findOtherModel({ models }, called, name)?.id

describe("the model that a provider means", () => {
  it.each<[what: string, models: ReadonlyArray<Model>, id: string | undefined]>([
    ["of its own provider and channel first", [foreign, elsewhere, own, foreignChannel], "own"],
    ["of its own provider before others", [foreign, elsewhere, foreignChannel], "elsewhere"],
    ["of any other, the first of them", [foreignChannel, foreign], "foreign-2"],
    [
      "none that is sold by the request",
      [{ ...own, price: { _tag: "PerRequest", perRequestVnd: 1 } }],
      undefined
    ],
    ["none that makes images", [{ ...own, kind: "image" }], undefined],
    ["none of another name", [sold("a", { model: "b" })], undefined],
    ["the first of several alike", [own, { ...own, id: "same" }], "own"],
    ["the first of several alike of its provider", [elsewhere, { ...elsewhere, id: "same" }], "elsewhere"]
  ])("is %s", (_, models, id) => {
    assert.strictEqual(idOf("opus", ...models), id)
  })

  it("is found by its name there, by its own, and by either with a date", () => {
    const names = ["opus", "own", "opus-20260101", "own-20260101", "opus-2026", "opus-20260101-x"]
    assert.deepStrictEqual(
      names.map((name) => idOf(name, own)),
      ["own", "own", "own", "own", undefined, undefined]
    )
  })
})
