/** The document that programs are written by: whole, and true to what guards the endpoints. */
import { assert, describe, it } from "@effect/vitest"
import { Validator } from "@seriousme/openapi-schema-validator"
import type { OpenApi } from "effect/http-api"
import { describeApi } from "../../src/dashboard/api/describe-api.ts"
import { endpoints } from "./endpoints.ts"

const document = describeApi()
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item as Readonly<Record<string, OpenApi.OpenAPISpecOperation>>).map(
    ([method, operation]) => ({ method: method.toUpperCase(), path, operation })
  )
)
const named = operations.map((entry) => [`${entry.method} ${entry.path}`, entry] as const)

/** All texts that stand under `$ref`, wherever they are. */
const referencesIn = (value: unknown): ReadonlyArray<string> =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([name, inner]) =>
        name === "$ref" && typeof inner === "string" ? [inner] : referencesIn(inner)
      )

/** All objects below it, itself among them. */
const objectsIn = (value: unknown): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  typeof value !== "object" || value === null
    ? []
    : [value as Readonly<Record<string, unknown>>, ...Object.values(value).flatMap(objectsIn)]

const at = (pointer: string): unknown =>
  pointer
    .slice(2)
    .split("/")
    .reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], document)

describe("the document of the API", () => {
  it("is of OpenAPI 3.1 and describes every endpoint, and nothing else", () => {
    assert.match(document.openapi, /^3\.1\./)
    assert.isNotEmpty(document.info.title)
    const defined = endpoints.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`)
    assert.sameMembers(
      named.map(([name]) => name),
      defined
    )
  })

  it("holds to the rules of OpenAPI by the word of another program", async () => {
    const validator = new Validator()
    const { errors, valid } = await validator.validate(
      structuredClone<object>(document) as Record<string, unknown>
    )
    assert.isTrue(valid, JSON.stringify(errors))
  })

  it("points at nothing that is not there", () => {
    const references = [...new Set(referencesIn(document))]
    assert.deepStrictEqual(
      references.filter((reference) => !reference.startsWith("#/") || at(reference) === undefined),
      []
    )
  })

  it("tells the form of whatever stands in a path, and of a query what is a number", () => {
    const told = operations.flatMap(({ operation }) =>
      operation.parameters.map((parameter) => ({ ...parameter, text: JSON.stringify(parameter.schema) }))
    )
    assert.deepStrictEqual(
      told.filter((parameter) => parameter.in === "path" && !/"(?:pattern|enum)":/.test(parameter.text)),
      []
    )
    const numbers = told.filter(({ name, text }) => name === "status" && !text.includes("credited"))
    assert.isNotEmpty(numbers)
    for (const { text } of numbers) assert.include(text, '"type":"integer"')
  })

  it("has each shape once, and says nothing of how streams are written here", () => {
    assert.deepStrictEqual(
      Object.keys(document.components.schemas).filter((name) => /_\d+$/.test(name)),
      []
    )
    assert.notInclude(JSON.stringify(document), "x-effect-")
  })

  it("has whole numbers as such, and moments as longer than 32 bits", () => {
    const moments = objectsIn(document).filter(
      ({ description, type }) =>
        String(description).startsWith("Milliseconds since 1970") && type !== undefined
    )
    assert.isAbove(moments.length, 50)
    const { Call, KeyChange } = document.components.schemas as Readonly<
      Record<string, { readonly properties: Readonly<Record<string, object>> }>
    >
    const expiry = KeyChange!.properties["expires_at"] as { readonly anyOf: ReadonlyArray<object> }
    for (const each of [...moments, expiry.anyOf[0], Call!.properties["input_tokens"]])
      assert.include(each, { type: "integer", format: "int64" })
    assert.include(objectsIn(Call!.properties["per_mtok_vnd"])[2], { type: "number", format: "double" })
    const ordered = document.paths["/top-ups"]!.post!.requestBody!.content["application/json"]!.schema
    assert.include(
      objectsIn(ordered).find(({ description }) => description === "Whole VND"),
      {
        type: "integer"
      }
    )
  })

  it("leaves room in answers for fields of later versions, and in bodies for none", () => {
    const bodies = operations.flatMap(({ operation }) => objectsIn(operation.requestBody))
    const { AlertChange, Key } = document.components.schemas
    assert.include(AlertChange, { additionalProperties: false })
    for (const each of bodies.filter(({ properties }) => properties !== undefined))
      assert.property(each, "additionalProperties")
    for (const each of [Key, ...operations.map(({ operation }) => operation.responses)])
      assert.notInclude(JSON.stringify(each), '"additionalProperties":false')
  })

  it("answers in forms that makers of clients know: an empty object, and CSV as text", () => {
    assert.notInclude(JSON.stringify(document), '"not":')
    const csv = objectsIn(document).flatMap((each) => ("text/csv" in each ? [each["text/csv"]] : []))
    assert.isNotEmpty(csv)
    for (const each of csv) assert.deepStrictEqual(each, { schema: { type: "string" } })
  })

  it("says when to ask again of whatever may be refused for a while", () => {
    for (const { operation } of operations) {
      for (const status of ["429", "503"]) {
        const response = operation.responses[Number(status)]
        if (response !== undefined) assert.hasAllKeys(response.headers, ["retry-after"])
      }
    }
  })

  it("gives each operation an id of its own", () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    assert.strictEqual(new Set(ids).size, ids.length)
  })

  it.each(named)("%s says what it does, who may, what comes back and how it refuses", (_, entry) => {
    const { operation, path } = entry
    assert.isNotEmpty(operation.summary)
    const rule = endpoints.find(
      (endpoint) => endpoint.method === entry.method && endpoint.path.replaceAll(/:(\w+)/g, "{$1}") === path
    )?.rule
    assert.isDefined(rule)
    const statuses = Object.keys(operation.responses)
    assert.isTrue(statuses.some((status) => status.startsWith("2")))
    for (const status of rule?.who === "anyone" ? ["400", "403"] : ["400", "401", "403"])
      assert.include(statuses, status)
    const schemes = (operation.security ?? []).flatMap((requirement) => Object.entries(requirement))
    const expected: ReadonlyArray<unknown> =
      rule === undefined || rule.who === "anyone"
        ? []
        : [["session", []], ...(rule.scope === undefined ? [] : [["token", [rule.scope]]])]
    assert.deepStrictEqual<ReadonlyArray<unknown>>(schemes, expected)
    const told = (operation.parameters ?? []).filter((parameter) => parameter.in === "path")
    assert.sameMembers(
      told.map((parameter) => `{${parameter.name}}`),
      path.match(/\{\w+\}/g) ?? []
    )
  })
})
