/** What `/openapi.json` says of requests and answers is what is taken and answered. */
import { assert } from "@effect/vitest"
import { afterAll, beforeAll, describe, it } from "vitest"
import { describePublicApi } from "../../src/dashboard/public-api/describe-public-api.ts"
import { beyond, type Described } from "../dashboard/around-bounds.ts"
import { mismatches, type Schemas } from "../dashboard/mismatches.ts"
import { ask, readAnswer } from "./ask.ts"
import { endpoints, pixel } from "./endpoints.ts"
import { startGateway, type TestGateway } from "./start-gateway.ts"

interface Operation {
  readonly parameters: ReadonlyArray<{
    readonly name: string
    readonly in: string
    readonly schema: Described
  }>
  readonly responses: Readonly<Record<string, { readonly content: Readonly<Record<string, Media>> }>>
}
interface Media {
  readonly schema: { readonly $ref?: string }
}

const { components, paths } = describePublicApi("https://api.example.vn", []) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Schemas }
}
const answerOf = (method: string, path: string) =>
  paths[path]![method]!.responses["200"]!.content["application/json"]!.schema

let gateway: TestGateway
let key: string
beforeAll(async () => {
  gateway = await startGateway()
  ;({ key } = await gateway.account("50000"))
})
afterAll(() => gateway.stop())

const get = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
  readAnswer(await fetch(gateway.url + path, { headers: { "x-api-key": key, ...headers } }))

describe("the document of the models' API", () => {
  it.each(endpoints.filter(([path]) => path !== "/v1/audio/speech"))(
    "says what comes of %s, and that an answer is that",
    async (path, call) => {
      const answer = await ask(gateway, key, path, call)
      assert.strictEqual(answer.status, 200, answer.text)
      assert.deepStrictEqual(
        mismatches(answerOf("post", path), JSON.parse(answer.text), components.schemas),
        []
      )
    }
  )

  it.each([
    ["/v1/balance", "/v1/balance"],
    ["/v1/usage", "/v1/usage"],
    ["/v1/usage", "/v1/usage?group_by=day"],
    ["/v1/usage", "/v1/usage?group_by=key"],
    ["/v1/dashboard/billing/subscription", "/v1/dashboard/billing/subscription"],
    ["/v1/dashboard/billing/usage", "/v1/dashboard/billing/usage"]
  ])("leaves nothing out of %s", async (path, asked) => {
    const answer = await get(asked)
    const schema = answerOf("get", path)
    assert.deepStrictEqual(mismatches(schema, JSON.parse(answer.text), components.schemas, "whole"), [])
  })

  it.each([{}, { "anthropic-version": "2023-06-01" }])(
    "is true of models, asked with %o",
    async (headers) => {
      for (const [path, asked] of [
        ["/v1/models", "/v1/models?limit=3"],
        ["/v1/models/{id}", "/v1/models/claude-sonnet-5"]
      ] as const) {
        const { text } = await get(asked, headers)
        assert.deepStrictEqual(mismatches(answerOf("get", path), JSON.parse(text), components.schemas), [])
      }
    }
  )

  it("says how a query may be", async () => {
    for (const [path, { get: operation }] of Object.entries(paths)) {
      for (const { name, schema } of operation?.parameters.filter((each) => each.in === "query") ?? []) {
        // Whatever stands in a query is text.
        const wrong = beyond(schema).filter((each) => each === "no such" || schema.type === "integer")
        for (const value of wrong.filter((each) => each !== "1"))
          assert.strictEqual(
            (await get(`${path}?${name}=${String(value)}`)).status,
            400,
            `${name}=${String(value)}`
          )
      }
    }
  })

  it("says in which form pictures are sent, one or several", async () => {
    assert.strictEqual(components.schemas["ImageEditForm"]!.properties!["image"]!.type, "array")
    for (const count of [1, 2]) {
      const form = new FormData()
      form.set("model", "req/gpt-image-2")
      form.set("prompt", "A house")
      for (let index = 0; index < count; index++)
        form.append("image", new Blob([Buffer.from(pixel, "base64")]), `${index}.png`)
      const body = { method: "POST", headers: { "x-api-key": key }, body: form }
      const answer = await readAnswer(await fetch(`${gateway.url}/v1/images/edits`, body))
      assert.strictEqual(answer.status, 200, answer.text)
    }
  })

  it("says how many pictures there may be, and of which size", async () => {
    const path = "/v1/images/generations"
    const { n, size } = components.schemas["ImageRequest"]!.properties!
    const call = { model: "req/gpt-image-2", prompt: "A house" }
    for (const wrong of [{ n: n!.maximum! + 1 }, { n: 0 }, { size: "0x0" }, { size: "01x1" }, { prompt: "" }])
      assert.strictEqual((await ask(gateway, key, path, { ...call, ...wrong })).status, 400)
    for (const right of [{ n: n!.maximum! }, { size: "auto" }, { size: "1024x1024" }]) {
      assert.strictEqual((await ask(gateway, key, path, { ...call, ...right })).status, 200)
      if ("size" in right) assert.match(right.size, new RegExp(size!.pattern!, "u"))
    }
    for (const wrong of ["0x0", "01x1", "1024"]) assert.notMatch(wrong, new RegExp(size!.pattern!, "u"))
  })
})
