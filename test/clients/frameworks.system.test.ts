/** The AI SDK and LangChain, unchanged, on models of every protocol: plain, streamed, and looping through a tool. */
import { createAnthropic } from "@ai-sdk/anthropic"
import { createOpenAI } from "@ai-sdk/openai"
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { assert, describe, it } from "@effect/vitest"
import { ChatAnthropic } from "@langchain/anthropic"
import { HumanMessage, type ToolMessage } from "@langchain/core/messages"
import { tool as langchainTool } from "@langchain/core/tools"
import { ChatOpenAI } from "@langchain/openai"
import { generateObject, generateText, type LanguageModel, stepCountIs, streamText, tool } from "ai"
import { z } from "zod"
import { textModels, toolPrompt } from "./models.ts"
import { assertCharged, useGateway } from "./use-gateway.ts"

// It does not know our models, and says so at each call.
globalThis.AI_SDK_LOG_WARNINGS = false

const gateway = useGateway()
const weather = z.object({ city: z.string(), days: z.number() })

const aiModels: ReadonlyArray<readonly [string, ReadonlyArray<string>, (model: string) => LanguageModel]> = [
  [
    "@ai-sdk/anthropic",
    textModels,
    (model) => createAnthropic({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key })(model)
  ],
  [
    "@ai-sdk/openai (chat)",
    textModels,
    (model) => createOpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key }).chat(model)
  ],
  [
    "@ai-sdk/openai (Responses)",
    ["gpt-5.5"],
    (model) => createOpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key }).responses(model)
  ],
  [
    "@ai-sdk/openai-compatible",
    textModels,
    (model) =>
      createOpenAICompatible({ name: "tollgate", baseURL: `${gateway.url}/v1`, apiKey: gateway.key })(model)
  ]
]

describe.each(aiModels)("%s", (_, models, modelOf) => {
  it.each(models)("gets the same text of %s plain and streamed", async (id) => {
    const plain = await generateText({ model: modelOf(id), prompt: "Hello", maxRetries: 0 })
    const streamed = streamText({ model: modelOf(id), prompt: "Hello", maxRetries: 0 })
    let text = ""
    for await (const piece of streamed.textStream) text += piece
    assert.strictEqual(plain.finishReason, "stop")
    assert.strictEqual(await streamed.finishReason, "stop")
    assert.strictEqual(text, plain.text)
    const [row] = await gateway.newCalls(2)
    assertCharged(row!, id)
    assert.strictEqual(row!.input_tokens, plain.usage.inputTokens)
    assert.strictEqual(row!.output_tokens, plain.usage.outputTokens)
  })

  it.each(models)("loops through a tool with %s, plain and streamed", async (id) => {
    const cities: Array<string> = []
    const call = {
      model: modelOf(id),
      prompt: toolPrompt,
      maxRetries: 0,
      stopWhen: stepCountIs(3),
      tools: {
        get_weather: tool({
          description: "The weather",
          inputSchema: weather,
          execute: async ({ city }) => {
            cities.push(city)
            return { degrees: 31 }
          }
        })
      }
    }
    const plain = await generateText(call)
    assert.include(plain.text, "31")
    const streamed = streamText(call)
    await streamed.consumeStream()
    assert.include(await streamed.text, "31")
    assert.deepStrictEqual(cities, ["Hà Nội", "Hà Nội"])
    for (const row of await gateway.newCalls(4)) assertCharged(row, id)
  })
})

describe("@ai-sdk/anthropic", () => {
  it.each(["claude-sonnet-5", "svc/claude-sonnet-5"])("sends the thoughts of %s back", async (id) => {
    const answer = await generateText({
      model: createAnthropic({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key })(id),
      prompt: toolPrompt,
      maxRetries: 0,
      stopWhen: stepCountIs(3),
      providerOptions: { anthropic: { thinking: { type: "adaptive" } } },
      tools: { get_weather: tool({ inputSchema: weather, execute: async () => "31 degrees" }) }
    })
    assert.include(answer.text, "31")
    assert.isNotEmpty(answer.steps[0]!.reasoningText)
    for (const row of await gateway.newCalls(2)) assertCharged(row, id)
  })
})

describe("@ai-sdk/openai (Responses)", () => {
  it("gets an object of its schema, and sends encrypted reasoning back without storing", async () => {
    const model = createOpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key }).responses("gpt-5.5")
    const { object } = await generateObject({ model, schema: weather, prompt: "Weather", maxRetries: 0 })
    assert.strictEqual(object.city, "Hà Nội")
    const answer = await generateText({
      model,
      prompt: toolPrompt,
      maxRetries: 0,
      stopWhen: stepCountIs(3),
      providerOptions: {
        openai: { store: false, reasoningSummary: "auto", include: ["reasoning.encrypted_content"] }
      },
      tools: { get_weather: tool({ inputSchema: weather, execute: async () => "31 degrees" }) }
    })
    assert.include(answer.text, "31")
    for (const row of await gateway.newCalls(3)) assertCharged(row, "gpt-5.5")
  })
})

const langchainModels = [
  [
    "@langchain/anthropic",
    (model: string) =>
      new ChatAnthropic({
        model,
        apiKey: gateway.key,
        anthropicApiUrl: gateway.url,
        maxTokens: 500,
        maxRetries: 0
      })
  ],
  [
    "@langchain/openai",
    (model: string) =>
      new ChatOpenAI({
        model,
        apiKey: gateway.key,
        maxRetries: 0,
        configuration: { baseURL: `${gateway.url}/v1` }
      })
  ]
] as const

describe.each(langchainModels)("%s", (_, modelOf) => {
  it.each(textModels)("gets the same text of %s plain and streamed", async (id) => {
    const plain = await modelOf(id).invoke("Hello")
    let text = ""
    for await (const chunk of await modelOf(id).stream("Hello")) text += chunk.text
    assert.strictEqual(text, plain.text)
    assert.isNotEmpty(text)
    for (const row of await gateway.newCalls(2)) assertCharged(row, id)
  })

  it.each(textModels)("loops through a tool with %s", async (id) => {
    const getWeather = langchainTool(async () => "31 degrees", {
      name: "get_weather",
      description: "The weather",
      schema: weather
    })
    const model = modelOf(id).bindTools([getWeather])
    const question = new HumanMessage(toolPrompt)
    const first = await model.invoke([question])
    const [call] = first.tool_calls ?? []
    assert.strictEqual(call?.args["city"], "Hà Nội")
    const result = (await getWeather.invoke(call!)) as ToolMessage
    const second = await model.invoke([question, first, result])
    assert.include(second.text, "31 degrees")
    for (const row of await gateway.newCalls(2)) assertCharged(row, id)
  })
})
