/** The catalogue that ships, how names find models in it, and how a broken one is refused. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Catalogue, defaultAliases } from "../../src/domain/catalogue.ts"
import records from "../../src/domain/catalogue.json" with { type: "json" }

const catalogue = new Catalogue(records)

type ModelRecord = (typeof records)[number]
const changed = (change: Record<string, unknown>): ReadonlyArray<unknown> =>
  records.map((record: ModelRecord, index) => (index === 0 ? { ...record, ...change } : record))

describe("the catalogue that ships", () => {
  it("has 99 models: 40 plain ones, 23 on AWS, 36 priced by the request", () => {
    const countOf = (prefix: string) => catalogue.models.filter((model) => model.id.startsWith(prefix)).length
    assert.strictEqual(catalogue.models.length, 99)
    assert.strictEqual(countOf("svc/"), 23)
    assert.strictEqual(countOf("req/"), 36)
    assert.strictEqual(catalogue.models.filter((model) => !model.id.includes("/")).length, 40)
  })

  it("sells svc/ models over AWS alone and prices req/ models, and only them, by the request", () => {
    for (const model of catalogue.models) {
      assert.strictEqual(model.channel === "aws", model.id.startsWith("svc/"), model.id)
      assert.strictEqual(model.price._tag === "PerRequest", model.id.startsWith("req/"), model.id)
    }
  })

  it("gives every text model a window and a largest output, and each kind the protocols it needs", () => {
    for (const model of catalogue.models) {
      const { protocols } = model.upstream
      assert.isNotEmpty(protocols, model.id)
      if (model.kind === "image") assert.include(protocols, "images", model.id)
      else if (model.kind === "speech") assert.include(protocols, "speech", model.id)
      else {
        assert.isAbove(model.contextWindow ?? 0, 0, model.id)
        assert.isAbove(model.maxOutputTokens ?? 0, 0, model.id)
        assert.notIncludeMembers([...protocols], ["images", "speech"], model.id)
      }
    }
  })

  it("finds each of its models by its own id, unmapped", () => {
    for (const model of catalogue.models) {
      assert.strictEqual(catalogue.get(model.id), model)
      assert.deepStrictEqual(catalogue.resolve(model.id), { model, mappedFrom: undefined })
    }
  })
})

describe("a name in a request", () => {
  const targets = [
    ["fable", "claude-fable-5"],
    ["opus", "claude-opus-5"],
    ["sonnet", "claude-sonnet-5"],
    ["haiku", "claude-fable-5"]
  ] as const

  it.each(targets)("%s finds %s, with claude- before it, -latest behind it, or both", (alias, id) => {
    for (const name of [alias, `claude-${alias}`, `${alias}-latest`, `claude-${alias}-latest`]) {
      const resolved = catalogue.resolve(name)
      assert.strictEqual(resolved?.model.id, id, name)
      assert.strictEqual(resolved?.mappedFrom, name)
    }
  })

  it.each([
    "gpt-4o",
    "claude-3-5-haiku-20241022",
    "OPUS",
    "opus-latest-latest",
    "",
    "constructor",
    "__proto__",
    "名前"
  ])("%j without a slash falls back to the flagship and says so", (name) => {
    assert.deepStrictEqual(catalogue.resolve(name), {
      model: catalogue.get("claude-fable-5")!,
      mappedFrom: name
    })
  })

  it.each([
    ["a model that is taken out", "gpt-5.5", "gpt-5.5"],
    ["an alias of one", "claude-opus-5", "claude-opus-latest"],
    ["nothing where the flagship is taken out", "claude-fable-5", "gpt-4o"]
  ])("that means %s finds no other in its place", (_, out, name) => {
    const rest = new Catalogue(records, defaultAliases, (model) => (model.id === out ? undefined : model))
    assert.isUndefined(rest.resolve(name))
    assert.isUndefined(rest.resolve(out))
    assert.strictEqual(rest.resolve("claude-sonnet-latest")?.model.id, "claude-sonnet-5")
  })

  it("that is gone finds none either, unless an alias is called so", () => {
    const named = (aliases: Readonly<Record<string, string>>) =>
      new Catalogue(records, aliases, (model) => model, ["former"]).resolve("former")?.model.id
    assert.deepStrictEqual([named({}), named({ former: "gpt-5.5" })], [undefined, "gpt-5.5"])
  })

  it.each([
    "svc/unknown",
    "req/opus",
    "openai/gpt-5.5",
    "svc/",
    "/",
    "svc/claude-fable-5/x",
    "SVC/claude-fable-5"
  ])("%j with a slash finds nothing", (name) => {
    assert.strictEqual(catalogue.resolve(name), undefined)
  })

  it.prop("any name finds a model exactly if it has no slash or is an id", [Schema.String], ([name]) => {
    const found = catalogue.resolve(name) !== undefined
    assert.strictEqual(found, !name.includes("/") || catalogue.get(name) !== undefined)
  })

  it("finds what configured aliases say, and then no other aliases", () => {
    const own = new Catalogue(records, { smart: "gpt-5.5" })
    assert.strictEqual(own.resolve("claude-smart-latest")?.model.id, "gpt-5.5")
    assert.strictEqual(own.resolve("opus")?.model.id, "claude-fable-5")
  })

  it("finds an id before an alias of the same name", () => {
    const own = new Catalogue(records, { ...defaultAliases, "gpt-5.5": "claude-opus-5" })
    assert.deepStrictEqual(own.resolve("gpt-5.5"), { model: own.get("gpt-5.5")!, mappedFrom: undefined })
  })
})

describe("a catalogue that can not be right is refused with what is wrong", () => {
  const broken: ReadonlyArray<readonly [string, unknown, RegExp]> = [
    ["not a list", {}, /array/i],
    ["an empty list", [], /\[0\]|length|non.?empty|Missing/i],
    ["two models of one id", [...records, records[0]], /two models have the same id/],
    ["an id that is not text", changed({ id: 5 }), /\["id"\]/],
    ["an empty id", changed({ id: "" }), /\["id"\]/],
    [
      "an id that no header can say",
      changed({ id: "a\r\nset-cookie: b" }),
      /must be 1 to 200 visible.*\["id"\]/s
    ],
    ["an id beyond ASCII", changed({ id: "mô-hình" }), /must be 1 to 200 visible.*\["id"\]/s],
    ["a price below zero", changed({ price: { per_mtok_vnd: -1 } }), /\["price"\]/],
    ["a price with a fraction of a dong", changed({ price: { per_mtok_vnd: 0.5 } }), /\["price"\]/],
    ["a price in µVND", changed({ price: { per_mtok_vnd: 6_500_000_000 } }), /\["price"\]/],
    ["no price", changed({ price: undefined }), /\["price"\]/],
    ["a price of nothing that is known", changed({ price: { per_image_vnd: 5 } }), /\["price"\]/],
    ["two prices", changed({ price: { per_mtok_vnd: 1, per_request_vnd: 1 } }), /\["price"\]/],
    ["images by the token", changed({ kind: "image" }), /per_request_vnd.*\n?.*\["price"\]/],
    ["speech by the token", changed({ kind: "speech" }), /per_request_vnd.*\n?.*\["price"\]/],
    ["an unknown channel", changed({ channel: "gcp" }), /\["channel"\]/],
    ["an unknown kind", changed({ kind: "video" }), /\["kind"\]/],
    ["no protocol", changed({ upstream: { provider: "x", model: "y", protocols: [] } }), /\["protocols"\]/],
    [
      "an unknown protocol",
      changed({ upstream: { provider: "x", model: "y", protocols: ["grpc"] } }),
      /\["protocols"\]/
    ],
    ["a window of no tokens", changed({ context_window: 0 }), /\["context_window"\]/]
  ]

  it.each(broken)("%s", (_, wrong, message) => {
    assert.throws(() => new Catalogue(wrong), message)
  })

  it("an alias of a model that is not there", () => {
    assert.throws(
      () => new Catalogue(records, { best: "claude-9" }),
      /alias best names an unknown model: claude-9/
    )
  })
})
