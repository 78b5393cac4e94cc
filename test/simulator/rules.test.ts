/** The simulator refuses what the providers refuse, and takes every request that was recorded as taken. */
import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { chatBody, messagesBody, useSimulator } from "./ask.ts"
import { describeWith, sharedPath } from "../shared-folder.ts"

const simulator = useSimulator()

const refusalOf = async (path: string, body: unknown) => {
  const response = await simulator.post(path, body)
  const text = await response.text()
  const { error, message } = JSON.parse(text) as { error?: { message: string }; message?: string }
  return `${response.status} ${error?.message ?? message ?? "accepted"}`
}

const user = (content: unknown) => ({ role: "user", content })
const assistant = (content: unknown) => ({ role: "assistant", content })
const toolUse = { type: "tool_use", id: "toolu_1", name: "look", input: {} }
const toolResult = { type: "tool_result", tool_use_id: "toolu_1", content: "seen" }
const tool = { name: "look", input_schema: { type: "object" } }
const withMessages = (...messages: Array<unknown>) => ({ ...messagesBody(""), messages })

describe("whoever nests beyond all measure", () => {
  const levels = "[".repeat(100_000) + "]".repeat(100_000)
  const schema = { type: "object", properties: "LEVELS" }

  it.each([
    ["/v1/messages", messagesBody("Hi", { tools: [{ name: "look", input_schema: schema }] })],
    ["/v1/responses", { model: "gpt-5.5", input: [{ ...user("Hi"), extra: "LEVELS" }] }]
  ])("is answered on %s, and so is everybody after", async (path, body) => {
    await simulator.post(path, JSON.stringify(body).replace('"LEVELS"', levels))
    assert.strictEqual((await simulator.post("/v1/messages", messagesBody("Hi"))).status, 200)
  })
})

describe("Messages", () => {
  it.each([
    [{ model: "claude-fable-5", messages: [] }, "400 max_tokens: Field required"],
    [messagesBody("Hi", { max_tokens: 200_000 }), "400 max_tokens: 200000 > 128000"],
    [messagesBody("Hi", { colour: "red" }), "400 colour: Extra inputs are not permitted"],
    [messagesBody("Hi", { model: "claude-does-not-exist" }), "404 model: claude-does-not-exist"],
    [messagesBody("Hi", { model: "svc/claude-opus-5" }), "404 model: svc/claude-opus-5"],
    [messagesBody("Hi", { temperature: 0.5 }), "400 `temperature` is deprecated for this model."],
    [messagesBody("Hi", { temperature: 1 }), "200 accepted"],
    [
      messagesBody("Hi", { thinking: { type: "enabled", budget_tokens: 2000 } }),
      '400 "thinking.type.enabled" is not'
    ],
    [messagesBody("Hi", { stop_sequences: [" "] }), "400 stop_sequences: each stop sequence must contain"],
    [
      messagesBody("Hi", { tools: [{ ...tool, name: "look.at" }] }),
      "400 tools.0.custom.name: String should match"
    ],
    [messagesBody("Hi", { tools: [tool, tool] }), "400 tools: Tool names must be unique."],
    [messagesBody("Hi", { tools: [{ name: "look" }] }), "400 tools.0.custom.input_schema: Field required"],
    [messagesBody("Hi", { tool_choice: { type: "auto" } }), "400 tool_choice may only be specified"],
    [
      messagesBody("Hi", { model: "claude-opus-5-5", tools: [tool], tool_choice: { type: "any" } }),
      '400 tool_choice: type "any" is not supported'
    ],
    [withMessages(), "400 messages: at least one message is required"],
    [withMessages(user("")), "400 messages.0: all messages must have non-empty content"],
    [withMessages(user([{ type: "text", text: "" }])), "400 messages: text content blocks must be non-empty"],
    [
      withMessages(user([{ type: "input_text", text: "Hi" }])),
      "400 messages.0.content.0: Input tag 'input_text'"
    ],
    [withMessages({ role: "tool", content: "Hi" }), '400 messages: Unexpected role "tool"'],
    [
      withMessages(user("Hi"), assistant("Well")),
      "400 This model does not support assistant message prefill"
    ],
    [
      withMessages(user("Hi"), assistant([toolUse]), user("So?")),
      "400 messages.2: `tool_use` ids were found without"
    ],
    [
      withMessages(user("Hi"), assistant([toolUse]), user([{ type: "text", text: "So?" }, toolResult])),
      "400 messages.2: `tool_use` ids were found without"
    ],
    [withMessages(user([toolResult])), "400 messages.0.content.0: unexpected `tool_use_id` found"],
    [
      withMessages(user("Hi"), assistant([toolUse]), user([toolResult, toolResult])),
      "400 messages.2.content.1: each tool_use must have a single result"
    ],
    [
      withMessages(
        user("Hi"),
        assistant([{ type: "thinking", thinking: "Hm", signature: "made-up" }]),
        user("Go on")
      ),
      "400 messages.1.content.0: Invalid `signature` in `thinking` block"
    ],
    ["{", "400 The request body is not valid JSON."]
  ])("%j is answered %s", async (body, expected) => {
    assert.include(await refusalOf("/v1/messages", body), expected)
  })

  it("lets an unknown field through when told to", async () => {
    assert.include(
      await refusalOf("/v1/messages", messagesBody("[sim: lenient=1]", { colour: "red" })),
      "accepted"
    )
  })
})

const call = { id: "call_1", type: "function", function: { name: "look", arguments: "{}" } }
const answer = { role: "tool", tool_call_id: "call_1", content: "seen" }
const chatTool = (name: string, parameters: unknown = { type: "object", properties: {} }) => ({
  type: "function",
  function: { name, parameters }
})
const conversation = (...messages: Array<unknown>) => ({ model: "gpt-5.5", messages })

describe("chat completions", () => {
  it("takes a file in Mistral's form for Mistral's models alone, and in OpenAI's for all others", async () => {
    const data = "data:application/pdf;base64,JVBE"
    const mistral = { type: "document_url", document_url: data }
    const openai = { type: "file", file: { filename: "a.pdf", file_data: data } }
    const answered = (model: string, part: unknown) =>
      refusalOf("/v1/chat/completions", chatBody("", { model, messages: [user([part])] }))
    assert.strictEqual(await answered("mistral-large-2512", mistral), "200 accepted")
    assert.strictEqual(await answered("gpt-5.5", openai), "200 accepted")
    for (const refusal of [answered("mistral-large-2512", openai), answered("gpt-5.5", mistral)])
      assert.match(await refusal, /^400 Invalid value/)
  })

  it.each([
    [{ messages: [] }, "400 you must provide a model parameter"],
    [{ model: "gpt-5.5" }, "400 Missing required parameter: 'messages'."],
    [chatBody("Hi", { max_tokens: 5 }), "Use 'max_completion_tokens' instead."],
    [chatBody("Hi", { reasoning_effort: "max" }), "200 accepted"],
    [chatBody("Hi", { reasoning_effort: "most" }), "400 Invalid value: 'most'"],
    [chatBody("Hi", { temperature: 0.2 }), "400 Unsupported value: 'temperature' does not support 0.2"],
    [chatBody("Hi", { stop: ["x"] }), "400 Unsupported parameter: 'stop'"],
    [chatBody("Hi", { top_k: 3 }), "400 Unrecognized request argument supplied: top_k"],
    [chatBody("Hi", { model: "gpt-does-not-exist" }), "404 The model `gpt-does-not-exist` does not exist"],
    [
      chatBody("Hi", { stream_options: { include_usage: true } }),
      "400 The 'stream_options' parameter is only"
    ],
    [chatBody("Hi", { tools: [] }), "400 Invalid 'tools': empty array."],
    [
      chatBody("Hi", { tools: [chatTool("look.at")] }),
      "400 Invalid 'tools[0].function.name': string does not match"
    ],
    [
      chatBody("Hi", { tools: [chatTool("l".repeat(65))] }),
      "400 Invalid 'tools[0].function.name': string too long"
    ],
    [chatBody("Hi", { tools: [chatTool("look", { type: "object" })] }), "object schema missing properties"],
    [chatBody("Hi", { tool_choice: "auto" }), "400 Invalid value for 'tool_choice'"],
    [chatBody("Hi", { user: "u".repeat(65) }), "400 Invalid 'user': string too long"],
    [chatBody("Hi", { response_format: { type: "json_object" } }), "must contain the word 'json'"],
    [conversation({ role: "human", content: "Hi" }), "400 Invalid value: 'human'."],
    [conversation(user(null)), "400 Invalid value for 'content': expected a string, got null."],
    [conversation(user([{ type: "input_text", text: "Hi" }])), "400 Invalid value: 'input_text'."],
    [conversation(user("Hi"), answer), "400 Invalid parameter: messages with role 'tool' must be a response"],
    [
      conversation(user("Hi"), { role: "assistant", tool_calls: [call] }),
      "did not have response messages: call_1"
    ],
    [
      conversation(user("Hi"), { role: "assistant", tool_calls: [{ ...call, id: "c".repeat(41) }] }),
      "400 Invalid 'messages[1].tool_calls[0].id': string too long"
    ],
    [
      conversation(user("Hi"), { role: "assistant", content: null, tool_calls: [call] }, answer),
      "200 accepted"
    ],
    [chatBody("Hi", { model: "deepseek-v4-pro", max_tokens: 5, top_k: 3, temperature: 0.2 }), "200 accepted"]
  ])("%j is answered %s", async (body, expected) => {
    assert.include(await refusalOf("/v1/chat/completions", body), expected)
  })
})

const converse = (...messages: Array<unknown>) => ({ messages })
const text = (words: string) => [{ text: words }]
const bedrockUse = { toolUse: { toolUseId: "t1", name: "look", input: {} } }
const bedrockTool = (name: string) => ({
  tools: [{ toolSpec: { name, inputSchema: { json: { type: "object" } } } }]
})

describe("Converse", () => {
  const path = "/model/amazon.nova-pro-v1%3A0/converse"
  it.each([
    [converse(), "400 A conversation must start with a user message."],
    [
      converse(user(text(""))),
      "400 The text field in the ContentBlock object at messages.0.content.0 is blank."
    ],
    [
      converse(
        user(text("Hi")),
        assistant([bedrockUse]),
        user([{ toolResult: { toolUseId: "t1", content: text("x") } }])
      ),
      "400 The toolConfig field must be defined"
    ],
    [
      { ...converse(user(text("Hi"))), toolConfig: bedrockTool("look.at") },
      "regular expression pattern: [a-zA-Z0-9_-]+"
    ],
    [
      { ...converse(user(text("Hi"))), toolConfig: { ...bedrockTool("look"), toolChoice: { none: {} } } },
      "400 Exactly one of"
    ],
    [
      {
        ...converse(user(text("Hi")), assistant([bedrockUse]), user(text("So?"))),
        toolConfig: bedrockTool("look")
      },
      "400 Expected toolResult blocks at messages.2.content for the following Ids: t1"
    ],
    [
      converse(
        user([{ text: "Hi" }, { document: { name: "a.pdf", format: "pdf", source: { bytes: "AAAA" } } }])
      ),
      "400 The document file name can only contain"
    ],
    [{ ...converse(user(text("Hi"))), inferenceConfig: { max_tokens: 5 } }, "400 Unknown field 'max_tokens'"],
    [
      { ...converse(user(text("Hi"))), outputConfig: { textFormat: { type: "json_schema" } } },
      "400 This model doesn't support the outputConfig.textFormat field"
    ]
  ])("%j is answered %s", async (body, expected) => {
    assert.include(await refusalOf(path, body), expected)
  })
})

describe("InvokeModel", () => {
  const path = "/model/global.anthropic.claude-opus-4-6-v1/invoke"
  const body = { anthropic_version: "bedrock-2023-05-31", max_tokens: 10, messages: [user("Hi")] }
  it.each([
    [body, "200 accepted"],
    [{ ...body, anthropic_version: undefined }, "400 anthropic_version: Field required"],
    [{ ...body, model: "claude-opus-4-6" }, "400 model: Extra inputs are not permitted"],
    [{ ...body, stream: true }, "400 stream: Extra inputs are not permitted"],
    [
      { ...body, messages: [user("Hi"), assistant([{ ...toolUse, caller: { type: "direct" } }])] },
      "400 messages.1.content.0.tool_use.caller: Extra inputs are not permitted"
    ],
    [{ ...body, anthropic_beta: ["made-up-2026-01-01"] }, "400 invalid beta flag"]
  ])("%j is answered %s", async (body, expected) => {
    assert.include(await refusalOf(path, body), expected)
  })
})

describe("a caller without a key", () => {
  it.each([
    ["/v1/messages", 401],
    ["/v1/chat/completions", 401],
    ["/v1/responses", 401],
    ["/v1/images/generations", 401],
    ["/v1/audio/speech", 401],
    ["/model/amazon.nova-pro-v1%3A0/converse", 403]
  ] as const)("is turned away from %s with %i", async (path, status) => {
    const response = await fetch(simulator.url(path), { method: "POST", body: "{}" })
    assert.strictEqual(response.status, status)
    await response.arrayBuffer()
  })
})

const fixtures = sharedPath("fixtures")

interface Recording {
  readonly request: { readonly url: string; readonly body: unknown } | null
  readonly response?: { readonly status: number }
}

/** Their recordings rely on what has been stored, or on models and features that are not simulated. */
const notSimulated = /continu|previous|guardrail|converse-stream-error|invoke-stream-error|azure/

describeWith("fixtures", "recorded requests", () => {
  const recordings = globSync(
    `${fixtures}/{anthropic-messages,openai-chat,openai-compatible,openai-responses,bedrock,clients}/*.json`
  )
    .filter((file) => !notSimulated.test(file))
    .map(
      (file) =>
        [file.slice(fixtures.length + 1), JSON.parse(readFileSync(file, "utf8")) as Recording] as const
    )
    .filter(([, { request }]) => request != null && typeof request.body === "object" && request.body !== null)

  it.each(recordings)("%s is answered as it was", async (_, { request, response }) => {
    const path = new URL(request!.url, "http://provider").pathname
    const answered = await simulator.post(path, request!.body)
    const body = await answered.text()
    const status = response?.status ?? 200
    assert.strictEqual(answered.status, status === 401 ? 200 : status, body.slice(0, 500))
  })
})
