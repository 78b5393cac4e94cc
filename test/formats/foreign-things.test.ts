import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { refuseForeignThings } from "../../src/formats/foreign-things.ts"
import { refusable } from "../../src/formats/json/fields.ts"
import type { Json, JsonObject } from "../../src/formats/json/json.ts"

const refusedField = (body: JsonObject): string | undefined => {
  const result = refusable(() => refuseForeignThings(body))
  return Result.isFailure(result) ? result.failure.field : undefined
}
const said = (...content: ReadonlyArray<Json>) => [{ role: "user", content }]

describe("things that a provider keeps and nobody here can have made", () => {
  it.each<readonly [string, JsonObject]>([
    ["prompt.id", { prompt: { id: "pmpt_1", version: "2" } }],
    ["container", { container: "container_1" }],
    ["container.id", { container: { id: "container_1" } }],
    [
      "container.skills.1.skill_id",
      {
        container: {
          skills: [
            { type: "anthropic", skill_id: "pdf" },
            { type: "custom", skill_id: "skill_1" }
          ]
        }
      }
    ],
    ["tools.0.vector_store_ids", { tools: [{ type: "file_search", vector_store_ids: ["vs_1"] }] }],
    [
      "tools.0.retrieval.knowledge_id",
      { tools: [{ type: "retrieval", retrieval: { knowledge_id: "kb_1", prompt_template: "x" } }] }
    ],
    [
      "extra_body.google.cached_content",
      { extra_body: { google: { cached_content: "cachedContents/1", thinking_config: {} } } }
    ],
    ["tools.0.container", { tools: [{ type: "code_interpreter", container: "cntr_1" }] }],
    [
      "tools.1.container.file_ids",
      {
        tools: [
          { type: "web_search" },
          { type: "code_interpreter", container: { type: "auto", file_ids: ["file-1"] } }
        ]
      }
    ],
    [
      "tools.0.environment.container_id",
      {
        tools: [{ type: "shell", environment: { type: "container_reference", container_id: "cntr_1" } }]
      }
    ],
    [
      "tools.0.input_image_mask.file_id",
      {
        tools: [{ type: "image_generation", input_image_mask: { file_id: "file-1" } }]
      }
    ],
    [
      "input.1.tools.0.vector_store_ids",
      {
        input: [
          ...said({ type: "input_text", text: "t" }),
          {
            type: "additional_tools",
            role: "developer",
            tools: [{ type: "file_search", vector_store_ids: ["vs_1"] }]
          }
        ]
      }
    ],
    [
      "input.0.tools.1.container",
      {
        input: [
          {
            type: "tool_search_output",
            call_id: "c",
            tools: [{ type: "web_search" }, { type: "code_interpreter", container: "cntr_1" }]
          }
        ]
      }
    ],
    ["tools.0.environment", { tools: [{ type: "shell", environment: "cntr_1" }] }],
    ["input.0.content.0.file_id", { input: said({ type: "input_file", file_id: "file-1" }) }],
    [
      "input.0.content.1.file_id",
      {
        input: said({ type: "input_text", text: "see" }, { type: "input_image", file_id: "file-1" })
      }
    ],
    [
      "input.0.output.0.file_id",
      {
        input: [
          { type: "function_call_output", call_id: "c", output: [{ type: "input_image", file_id: "file-1" }] }
        ]
      }
    ],
    [
      "messages.0.content.0.file.file_id",
      {
        messages: said({ type: "file", file: { file_id: "file-1" } })
      }
    ],
    [
      "messages.0.content.1.video_url.url",
      {
        messages: said(
          { type: "video_url", video_url: { url: "https://example.com/ms://a.mp4" } },
          { type: "video_url", video_url: { url: "ms://d1234" } }
        )
      }
    ],
    [
      "messages.0.content.0.image_url",
      {
        messages: said({ type: "image_url", image_url: "MS://d1234" })
      }
    ],
    [
      "messages.0.content.0.source.file_id",
      {
        messages: said({ type: "document", source: { type: "file", file_id: "file_1" } })
      }
    ],
    [
      "messages.0.content.0.content.0.source.file_id",
      {
        messages: said({
          type: "tool_result",
          tool_use_id: "t",
          content: [{ type: "image", source: { type: "file", file_id: "file_1" } }]
        })
      }
    ],
    ["messages.0.content.0.file_id", { messages: said({ type: "container_upload", file_id: "file_1" }) }]
  ])("are refused by %s", (field, body) => {
    assert.strictEqual(refusedField(body), field)
  })

  it.each<readonly [string, JsonObject]>([
    ["new containers", { tools: [{ type: "code_interpreter", container: { type: "auto" } }] }],
    [
      "where a computer runs",
      {
        tools: [
          {
            type: "computer_use_preview",
            environment: "browser",
            display_width: 1024,
            display_height: 768
          }
        ]
      }
    ],
    ["the provider's own skills", { container: { skills: [{ type: "anthropic", skill_id: "pdf" }] } }],
    [
      "data",
      { input: said({ type: "input_file", file_data: "data:application/pdf;base64,JVBE", file_id: null }) }
    ],
    [
      "what an answer told of its files",
      {
        input: [
          { type: "code_interpreter_call", id: "ci_1", container_id: "cntr_1", outputs: [] },
          {
            type: "message",
            role: "assistant",
            content: [
              {
                type: "output_text",
                text: "t",
                annotations: [{ type: "container_file_citation", container_id: "cntr_1", file_id: "cfile_1" }]
              }
            ]
          }
        ]
      }
    ],
    ["a prompt in words", { prompt: "Write", messages: "hi" }]
  ])("are not %s", (_, body) => {
    assert.isUndefined(refusedField(body))
  })
})
