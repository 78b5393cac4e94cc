/** How finely an image is to be looked at, told in the words of whoever knows it and left out for everybody else. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { convertRequest } from "../../wire/convert-request.ts"

const url = "data:image/png;base64,iVBORw0KGgo="

const sent = (endpoint: "chat_completions" | "responses", model: string, request: JsonObject) =>
  JSON.stringify(Result.getOrThrow(convertRequest(endpoint, model, request)).body)

const image = (detail?: string): JsonObject => ({
  type: "input_image",
  image_url: url,
  ...(detail !== undefined && { detail })
})
const shown = (detail?: string) => ({ input: [{ role: "user", content: [image(detail)] }] })
const given = (detail?: string) => ({
  input: [
    { type: "function_call", call_id: "call12345", name: "f", arguments: "{}" },
    { type: "function_call_output", call_id: "call12345", output: [image(detail)] }
  ]
})

const part = (detail?: string): string => JSON.stringify({ url, ...(detail !== undefined && { detail }) })

describe("the detail of an image", () => {
  it.each([
    ["grok-4.3", "high"],
    ["grok-4.3", "auto"],
    ["mistral-large-2512", "low"]
  ])("reaches %s from a Responses client where it is %s", (model, detail) => {
    for (const request of [shown(detail), given(detail)])
      assert.include(sent("responses", model, request), `"image_url":${part(detail)}`)
  })

  it("is left out where a provider does not know this one", () => {
    for (const request of [shown("original"), given("original"), shown()])
      assert.include(sent("responses", "grok-4.3", request), `"image_url":${part()}`)
  })

  it.each([
    "kimi-k2.6",
    "gemini-3.1-pro-preview",
    "claude-sonnet-4-6",
    "svc/claude-sonnet-4-6",
    "svc/nova-pro"
  ])("is left out for %s, whose provider knows none", (model) => {
    for (const request of [shown("high"), given("high")])
      assert.notInclude(sent("responses", model, request), "detail")
  })

  it.each(["low", "original"])("goes from a chat client to a Responses upstream as %s", (detail) => {
    const body = sent("chat_completions", "gpt-5.5", {
      messages: [{ role: "user", content: [{ type: "image_url", image_url: { url, detail } }] }],
      tools: [{ type: "function", function: { name: "f" } }]
    })
    assert.include(body, JSON.stringify({ type: "input_image", image_url: url, detail }))
  })
})
