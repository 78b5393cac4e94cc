/** What calls cost, the most of them of two protocols: the provider's usage to the token, and nothing when it fails. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { ownStreams, type StreamFixture } from "../fixtures/read-fixtures.ts"
import { advisedTokens } from "../gateway/recorded-usage.ts"
import { type Recorded, recordings } from "../tokens/recorded.ts"
import { perMtokVnd } from "./models.ts"
import { useGateway } from "./use-gateway.ts"
import { describeWith, sharedPath } from "../shared-folder.ts"

const gateway = useGateway()

type Endpoint = "messages" | "chat_completions" | "responses"

const tools = [{ type: "function", function: { name: "get_weather", parameters: { type: "object" } } }]

const call = (endpoint: Endpoint, model: string, prompt: string, stream: boolean) => {
  const messages = [{ role: "user", content: prompt }]
  if (endpoint === "responses") return gateway.post("/v1/responses", { model, input: prompt, stream })
  return endpoint === "messages"
    ? gateway.post("/v1/messages", { model, max_tokens: 500, messages, stream })
    : gateway.post("/v1/chat/completions", { model, messages, tools, stream })
}

/** The model that a recording is an answer of, and the endpoints from which it is reached by conversion. */
const wayOf = (name: string): { readonly model: string; readonly endpoints: ReadonlyArray<Endpoint> } => {
  if (name.startsWith("bedrock/invoke"))
    return { model: "svc/claude-sonnet-5", endpoints: ["messages", "chat_completions", "responses"] }
  if (name.startsWith("bedrock/"))
    return { model: "svc/nova-pro", endpoints: ["messages", "chat_completions", "responses"] }
  if (name.startsWith("anthropic"))
    return { model: "claude-sonnet-5", endpoints: ["chat_completions", "responses"] }
  // With tools, chat clients of these models are answered from there, too.
  if (name.startsWith("openai-responses"))
    return { model: "gpt-5.5", endpoints: ["messages", "chat_completions"] }
  return { model: "deepseek-v4-pro", endpoints: ["messages", "responses"] }
}

const root = sharedPath("fixtures")
const answerOf = ({
  name
}: Recorded):
  | { readonly body: Buffer; readonly contentType: string; readonly stream: boolean }
  | undefined => {
  if (existsSync(`${root}/${name}.sse`))
    return { body: readFileSync(`${root}/${name}.sse`), contentType: "text/event-stream", stream: true }
  if (existsSync(`${root}/${name}.b64`)) {
    const body = Buffer.from(readFileSync(`${root}/${name}.b64`, "utf8"), "base64")
    return { body, contentType: "application/vnd.amazon.eventstream", stream: true }
  }
  const { response } = JSON.parse(readFileSync(`${root}/${name}.json`, "utf8")) as {
    readonly response: { readonly body?: object }
  }
  return response.body === undefined
    ? undefined
    : { body: Buffer.from(JSON.stringify(response.body)), contentType: "application/json", stream: false }
}

const recorded = recordings().flatMap((recording) => {
  const answer = answerOf(recording)
  // This one is several answers in one file.
  const isSeveral = recording.name === "openai-responses/reasoning-encrypted-stream"
  const isCount = recording.name.includes("count-tokens") || recording.name.includes("input-tokens")
  return answer === undefined || isCount || isSeveral
    ? []
    : [{ ...recording, answer, ...wayOf(recording.name) }]
})

describeWith("fixtures", "recorded answers", () => {
  it.each(recorded)("$name, converted, costs what it says", async (recording) => {
    const { answer, endpoints, inputTokens, model, name, outputTokens } = recording
    const texts: Array<string> = []
    for (const endpoint of endpoints) {
      for (const chunkSizes of answer.stream ? [[1 << 20], [7, 1, 300, 64]] : [[]]) {
        await gateway.replay({ path: "", body: answer.body, contentType: answer.contentType, chunkSizes })
        texts.push(await (await call(endpoint, model, "Hello", answer.stream)).text())
      }
    }
    for (const [index, row] of (await gateway.newCalls(texts.length)).entries()) {
      if (name.includes("error")) {
        assert.isAtLeast(row.status, 400)
        assert.strictEqual(row.cost_micro_vnd, 0n)
        continue
      }
      assert.strictEqual(row.status, 200, texts[index]!.slice(-500))
      assert.strictEqual(
        row.cost_micro_vnd,
        // The advisors recorded here have the same price.
        BigInt(row.input_tokens + row.output_tokens + advisedTokens(String(answer.body))) * perMtokVnd[model]!
      )
      if (inputTokens === undefined && outputTokens === undefined) assert.isTrue(row.estimated)
      if (inputTokens !== undefined) assert.strictEqual(row.input_tokens, inputTokens)
      if (outputTokens !== undefined) assert.strictEqual(row.output_tokens, outputTokens)
    }
  })
})

const paths = {
  messages: "/v1/messages",
  chat_completions: "/v1/chat/completions",
  responses: "/v1/responses"
} as const
const all = ["messages", "chat_completions", "responses"] as const

/** Clients of other protocols reach OpenAI's models over Responses. */
const modelFor = (endpoint: Endpoint, { protocol, request: { model } }: StreamFixture): string =>
  protocol === "chat_completions" && endpoint !== protocol && model === "gpt-5.5" ? "deepseek-v4-pro" : model

/** The scenario's own call where the endpoint is of its protocol; one that names what is stored elsewhere is refused. */
const callAs = (endpoint: Endpoint, fixture: StreamFixture) =>
  endpoint === fixture.protocol && fixture.name !== "responses/file-search"
    ? gateway.post(paths[endpoint], fixture.request)
    : call(endpoint, modelFor(endpoint, fixture), "Hello", true)

const expectPassedOn = (text: string, { bytes, name, protocol, request }: StreamFixture) => {
  // Of usage that was not asked for there is no chunk.
  if (protocol === "chat_completions" && request["stream_options"] === undefined) return
  assert.strictEqual(text, bytes.toString(), name)
}

const costOf = (endpoint: Endpoint, fixture: StreamFixture): bigint => {
  const model = modelFor(endpoint, fixture)
  if (model === fixture.request.model) return BigInt(fixture.charge)
  return BigInt(fixture.usage.input + fixture.usage.output) * perMtokVnd[model]!
}

const protocols = ["messages", "chat_completions", "responses", "converse", "invoke"] as const

describe("documented streams", () => {
  it.each(protocols)("of %s cost what they say", async (protocol) => {
    const asked: Array<readonly [name: string, cost: bigint]> = []
    for (const fixture of ownStreams(protocol)) {
      const { bytes, ends = {}, fails, name } = fixture
      const isText = protocol !== "converse" && protocol !== "invoke"
      const contentType = isText ? "text/event-stream" : "application/vnd.amazon.eventstream"
      for (const endpoint of all) {
        if (fails === undefined && endpoint !== protocol && ends[endpoint] === undefined) continue
        await gateway.replay({ path: "", body: bytes, contentType, chunkSizes: [7, 1, 300, 64] })
        const text = await (await callAs(endpoint, fixture)).text()
        if (fails !== undefined) assert.include(text, "error", name)
        else if (endpoint === protocol) expectPassedOn(text, fixture)
        asked.push([`${name} for ${endpoint}`, fails === undefined ? costOf(endpoint, fixture) : 0n])
        if (fails === undefined) continue
        // A success between them, since failures alone would have the circuit opened.
        await (await call(endpoint, fixture.request.model, "Hello", false)).text()
        asked.push([name, -1n])
      }
    }
    const rows = await gateway.newCalls(asked.length)
    for (const [index, [name, cost]] of asked.entries()) {
      if (cost < 0n) continue
      const { cost_micro_vnd: charged, error_type: error, estimated, status } = rows[index]!
      assert.strictEqual(charged, cost, name)
      assert.strictEqual(status === 200, cost > 0n || error === "", `${name}: ${error}`)
      if (status === 200) assert.isFalse(estimated, name)
    }
  })
})

const early: ReadonlyArray<readonly [directive: string, status: number]> = [
  ["status=400", 400],
  ["status=401", 502],
  ["status=403", 502],
  ["status=404", 502],
  ["status=413", 413],
  ["status=429", 429],
  ["status=500", 502],
  ["status=503", 502],
  ["status=529", 502]
]
const plainFaults = [
  "body=html",
  "body=text",
  "body=empty",
  "body=short",
  "cut_after=1",
  "end_after=1",
  "fail_after=1"
]
const streamFaults = [
  "cut_after=9",
  "end_after=9",
  "rubbish_after=9",
  "fail_after=9",
  "cut_after=0",
  "end_after=0",
  "rubbish_after=0"
]

const ways = (["messages", "chat_completions", "responses"] as const).flatMap((endpoint) =>
  ["claude-sonnet-5", "gpt-5.5", "svc/claude-sonnet-5", "svc/nova-pro"].map(
    (model) => [endpoint, model] as const
  )
)

describe("an upstream that fails", () => {
  it.each(ways)("costs nothing on %s with %s, however it fails", async (endpoint, model) => {
    const failures: Array<string> = []
    /** A success after each failure, since failures alone would have the circuit opened. */
    const fail = async (directive: string, stream: boolean) => {
      const answer = await call(endpoint, model, `[sim: tokens=40 ${directive}]`, stream)
      const text = await answer.text().catch(() => "")
      await (await call(endpoint, model, "Hello", false)).text()
      failures.push(directive)
      return { status: answer.status, text }
    }
    for (const stream of [false, true]) {
      for (const [directive, status] of early) {
        assert.strictEqual((await fail(directive, stream)).status, status, `${directive} ${stream}`)
      }
    }
    for (const directive of plainFaults) {
      assert.include([429, 502], (await fail(directive, false)).status, directive)
    }
    for (const directive of streamFaults) {
      const { status, text } = await fail(directive, true)
      if (status !== 200) continue
      for (const end of ["[DONE]", "message_stop", "response.completed"]) assert.notInclude(text, end)
      assert.include(text, "error")
    }
    const rows = await gateway.newCalls(failures.length * 2)
    for (const [index, row] of rows.entries()) {
      if (index % 2 === 1) {
        assert.strictEqual(row.status, 200)
        continue
      }
      assert.strictEqual(row.cost_micro_vnd, 0n, failures[index / 2])
      assert.isAtLeast(row.status, 400, failures[index / 2])
    }
  })
})
