/** How the tests of the simulator reach it: a running one, plain requests, what it saw. */
import Anthropic from "@anthropic-ai/sdk"
import OpenAI from "openai"
import { afterAll, beforeAll, beforeEach } from "@effect/vitest"
import { type RunningSimulator, startSimulator } from "../../src/simulator/server.ts"

export interface SeenCall {
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string
  readonly model?: string
  readonly aborted: boolean
  readonly bytesSent: number
}

export interface Seen {
  readonly started: number
  readonly finished: number
  readonly aborted: number
  readonly openStreams: number
  readonly byModel: Record<string, number>
  readonly last: Array<SeenCall>
}

/** A simulator for the tests of one file, forgetful between them. */
export const useSimulator = () => {
  let running: RunningSimulator
  beforeAll(async () => {
    running = await startSimulator()
  })
  beforeEach(() => fetch(`${running.url}/_sim/reset`, { method: "POST" }))
  afterAll(() => running.close())
  const url = (path: string) => `${running.url}${path}`
  return {
    url,
    anthropic: () => new Anthropic({ baseURL: running.url, apiKey: "sk-test", maxRetries: 0 }),
    openai: () => new OpenAI({ baseURL: `${running.url}/v1`, apiKey: "sk-test", maxRetries: 0 }),
    post: (path: string, body: unknown, headers: Record<string, string> = {}) =>
      fetch(url(path), {
        method: "POST",
        headers: { ...authorized, "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body)
      }),
    control: async (path: string, body: unknown) =>
      fetch(url(`/_sim/${path}`), {
        method: "POST",
        body: typeof body === "string" ? body : JSON.stringify(body)
      }),
    /** What the simulator saw, once the counts asked for are reached. */
    seen: async (counts = ""): Promise<Seen> =>
      (await (await fetch(url(`/_sim/calls?${counts}`))).json()) as Seen
  }
}

const authorized = {
  authorization: "Bearer sk-test",
  "x-api-key": "sk-test",
  "anthropic-version": "2023-06-01"
}

/** For a promise that has to fail. */
export const unexpected = (): never => {
  throw new Error("this call should have failed")
}

export const messagesBody = (prompt: string, more: object = {}) => ({
  model: "claude-fable-5",
  max_tokens: 1000,
  messages: [{ role: "user", content: prompt }],
  ...more
})

export const chatBody = (prompt: string, more: object = {}) => ({
  model: "gpt-5.5",
  messages: [{ role: "user", content: prompt }],
  ...more
})

/** What the tool of weather is called with. */
export const weather = {
  type: "object" as const,
  properties: { city: { type: "string" }, days: { type: "integer", minimum: 3 } },
  required: ["city", "days"]
}

/** The four interfaces that stream text, each with a request of its own form. */
export const streams = [
  ["messages", "/v1/messages", (prompt: string) => messagesBody(prompt, { stream: true })],
  ["chat", "/v1/chat/completions", (prompt: string) => chatBody(prompt, { stream: true })],
  ["responses", "/v1/responses", (prompt: string) => ({ model: "gpt-5.5", input: prompt, stream: true })],
  [
    "bedrock",
    "/model/amazon.nova-pro-v1%3A0/converse-stream",
    (prompt: string) => ({ messages: [{ role: "user", content: [{ text: prompt }] }] })
  ]
] as const
