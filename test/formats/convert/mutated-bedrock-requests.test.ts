import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { fileAddresses } from "../../../src/formats/images/file-sources.ts"
import { invokeEdits } from "../../../src/formats/convert/messages-to-invoke/request.ts"
import { messagesRequestToConverse } from "../../../src/formats/convert/messages-to-converse/request.ts"
import type { InvalidRequest } from "../../../src/formats/json/fields.ts"
import { isJsonObject, type Json, type JsonObject } from "../../../src/formats/json/json.ts"
import { modelNamed } from "../../catalogue.ts"
import { Random } from "../../Random.ts"

const opus = "svc/claude-opus-5"
const user = (content: Json): JsonObject => ({ role: "user", content })

describe("a mutated request to Bedrock", () => {
  const rich: JsonObject = {
    model: opus,
    max_tokens: 100,
    system: [{ type: "text", text: "s", cache_control: { type: "ephemeral" } }],
    tools: [
      { name: "a.b", input_schema: { type: "object" }, strict: true },
      { type: "web_search_1", name: "w" }
    ],
    tool_choice: { type: "auto" },
    thinking: { type: "enabled", budget_tokens: 1024 },
    output_config: { effort: "low", format: { type: "json_schema", schema: { type: "object" } } },
    stop_sequences: ["x"],
    messages: [
      user([
        { type: "text", text: "a" },
        { type: "image", source: { type: "url", url: "data:image/png;base64,iVBORw0KGgo=" } },
        { type: "document", title: "t", source: { type: "text", media_type: "text/plain", data: "d" } },
        { type: "search_result", title: "t", source: "s", content: [{ type: "text", text: "c" }] }
      ]),
      { role: "assistant", content: [{ type: "tool_use", id: "t", name: "a.b", input: { x: 1 } }] },
      { role: "system", content: "s" },
      user([
        { type: "tool_result", tool_use_id: "t", is_error: true, content: [{ type: "text", text: "r" }] }
      ])
    ]
  }

  it("is converted or refused by name, and never throws", () => {
    const random = new Random(11)
    const values: ReadonlyArray<Json> = [null, 0, -1.5, "", "x", [], {}, true, [[{}]], { type: "text" }]
    const mutate = (value: Json): Json => {
      if (random.chance(0.05)) return random.pick(values)
      if (Array.isArray(value)) return value.map(mutate)
      if (typeof value !== "object" || value === null) return value
      const members = Object.entries(value as JsonObject).filter(() => !random.chance(0.02))
      return Object.fromEntries(members.map(([key, inner]) => [key, mutate(inner ?? null)]))
    }
    const files = new Map()
    for (let round = 0; round < 2000; round++) {
      const mutated = mutate(rich)
      const body = isJsonObject(mutated) ? mutated : rich
      const converse = messagesRequestToConverse(
        body,
        modelNamed(round % 2 === 0 ? "svc/nova-2-lite" : opus),
        files
      )
      const invoke = invokeEdits(body, modelNamed("svc/claude-opus-4-6"), { betas: "x", files })
      for (const result of [converse, invoke] as ReadonlyArray<Result.Result<object, InvalidRequest>>) {
        if (Result.isSuccess(result)) JSON.stringify(result.success)
        else assert.include(result.failure.message, result.failure.field)
      }
      fileAddresses(body)
    }
  })
})
