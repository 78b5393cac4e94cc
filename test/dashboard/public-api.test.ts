/** What programs read before they call: the document of the models' API, and the same in words. */
import { catalogue } from "../catalogue.ts"
import { assert, describe, it } from "@effect/vitest"
import { Validator } from "@seriousme/openapi-schema-validator"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { answerPublic } from "../../src/dashboard/public-api/answer-public.ts"
import { publicErrors } from "../../src/dashboard/public-api/public-schemas.ts"
import { english } from "../../src/dashboard/web/text/docs-en.ts"
import { vietnamese } from "../../src/dashboard/web/text/docs-vi.ts"
import { english as englishFailures } from "../../src/dashboard/web/text/failures-en.ts"
import { vietnamese as vietnameseFailures } from "../../src/dashboard/web/text/failures-vi.ts"
import { destinationOf } from "../../src/http/destinations.ts"

const { models } = catalogue
const read = (path: string) => String(answerPublic(path, "https://api.example.vn", models)!.body)

interface PublicDocument {
  readonly servers: ReadonlyArray<{ readonly url: string }>
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
  readonly components: {
    readonly schemas: { readonly ModelId: { readonly examples: ReadonlyArray<string> } }
  }
}
const document = JSON.parse(read("/openapi.json")) as PublicDocument
const described = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`)
)

describe("the document of the models' API", () => {
  it("holds to the rules of OpenAPI by the word of another program", async () => {
    const { errors, valid } = await new Validator().validate(structuredClone(document) as never)
    assert.isTrue(valid, JSON.stringify(errors))
  })

  it("is of the address that callers know, and names the models", () => {
    assert.deepStrictEqual(document.servers, [{ url: "https://api.example.vn" }])
    const { examples } = document.components.schemas.ModelId
    assert.lengthOf(examples, models.length)
    assert.include(examples, "claude-sonnet-5")
  })

  it("has numbers that may outgrow 32 bits, and a type of whatever is one text of few", () => {
    const told = JSON.stringify(document.components.schemas)
    assert.include(told, '"input_tokens":{"type":"integer","format":"int64","minimum":0}')
    assert.include(told, '"hard_limit_usd":{"type":"number","format":"double"')
    assert.notInclude(told, '{"type":"number"}')
    assert.notMatch(told, /\{"(?:const|enum)":/)
  })

  it("says of each failure by which id it is found, and where it may pass, when to ask again", () => {
    for (const operation of Object.values(document.paths).flatMap((item) => Object.values(item))) {
      const { responses } = operation as {
        readonly responses: Readonly<Record<string, { readonly headers: object }>>
      }
      for (const [status, { headers }] of Object.entries(responses)) {
        assert.property(headers, "request-id")
        assert.strictEqual("retry-after" in headers, status === "429" || status === "503")
      }
    }
  })

  it("has no object of which nothing is said: makers of clients take it for an empty one", () => {
    assert.notInclude(JSON.stringify(document), '{"type":"object"}')
  })

  it.each(described)("describes what is there: %s", (name) => {
    const [method, path] = name.split(" ") as [string, string]
    assert.include(
      ["Call", "Models", "Report"],
      destinationOf(method, path.replace(/\{\w+\}/, "some-id"))._tag
    )
  })

  it("leaves out nothing of what is there", () => {
    const source = readFileSync("src/http/destinations.ts", "utf8")
    const paths = [...new Set([...source.matchAll(/"(\/v1\/[\w/]+)"/g)].map(([, path]) => path!))]
    assert.isAbove(paths.length, 10)
    assert.deepStrictEqual(
      paths.filter((path) => document.paths[path] === undefined && path !== "/v1/models/"),
      []
    )
  })
})

describe("llms.txt", () => {
  it("begins as its convention says, and leads to places that are there", () => {
    const told = read("/llms.txt")
    assert.match(told, /^# Tollgate\n\n> /)
    const links = [...told.matchAll(/\]\(https:\/\/api\.example\.vn([^)]+)\)/g)].map(([, path]) => path!)
    assert.isAbove(links.length, 3)
    for (const path of links) assert.strictEqual(destinationOf("GET", path)._tag, "Dashboard", path)
  })
})

describe("the page of how to connect", () => {
  it("tells of each error that a call can be answered with", () => {
    const folder = join(import.meta.dirname, "../../src")
    const sources = globSync(["gateway/*.ts", "formats/errors/upstream-errors.ts"], { cwd: folder })
    const answered = sources.flatMap((file) =>
      [...readFileSync(join(folder, file), "utf8").matchAll(/status: (\d+),\s+type: "(\w+)"/g)].map(
        ([, status, type]) => `${status} ${type}`
      )
    )
    assert.isAbove(answered.length, 10)
    assert.includeMembers(
      publicErrors.map(([status, type]) => `${status} ${type}`),
      answered
    )
  })

  it.each([
    ["Vietnamese", vietnamese, vietnameseFailures],
    ["English", english, englishFailures]
  ])("tells of the same endpoints and errors, in %s", (_, words, { failures }) => {
    assert.sameMembers(Object.keys(words.paths), described)
    assert.deepStrictEqual(
      failures.map(([status, type]) => [status, type]),
      publicErrors.map(([status, type]) => [status, type])
    )
  })
})
