/** Calls of a running gateway as raw bytes, and what the simulator behind it is told to answer. */
import { assert } from "@effect/vitest"
import type { TestGateway } from "./start-gateway.ts"

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
  readonly text: string
  /** Of the call, as both client families read it. */
  readonly id: string
}

export interface ErrorBody {
  readonly type: string
  readonly error: {
    readonly type: string
    readonly message: string
    readonly param?: string | null
    readonly code?: string | null
  }
  readonly request_id: string
}

export const ask = async (
  gateway: TestGateway,
  key: string,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {}
): Promise<Answered> => {
  const answer = await fetch(gateway.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...(key !== "" && { "x-api-key": key }), ...headers },
    body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body)
  })
  return readAnswer(answer)
}

export const readAnswer = async (answer: Response): Promise<Answered> => {
  const bytes = Buffer.from(await answer.arrayBuffer())
  return {
    status: answer.status,
    headers: answer.headers,
    bytes,
    text: bytes.toString(),
    id: answer.headers.get("request-id") ?? ""
  }
}

/** The error of a body, which must have the contract's whole shape. */
export const errorOf = (answered: Answered, family: "messages" | "chat" = "messages"): ErrorBody["error"] => {
  const body = JSON.parse(answered.text) as ErrorBody
  assert.strictEqual(body.type, "error")
  assert.strictEqual(body.request_id, answered.id)
  assert.strictEqual(answered.headers.get("x-request-id"), answered.id)
  assert.strictEqual(answered.headers.get("content-type"), "application/json")
  assert.isNotEmpty(body.error.type)
  assert.isNotEmpty(body.error.message)
  assert.deepStrictEqual(
    Object.keys(body.error).filter((name) => name !== "details"),
    family === "chat" ? ["type", "message", "param", "code"] : ["type", "message"]
  )
  return body.error
}

export interface Replayed {
  /** The end of the upstream's path. */
  readonly path: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** None sends the body whole, with its length. */
  readonly chunkSizes?: ReadonlyArray<number>
  readonly times?: number
}

/** The upstream's next answer, verbatim. */
export const replay = async (gateway: TestGateway, { body, ...rest }: Replayed): Promise<void> => {
  const order = { ...rest, body: Buffer.from(body).toString("base64") }
  const answer = await fetch(`${gateway.simulatorUrl}/_sim/replay`, {
    method: "POST",
    body: JSON.stringify(order)
  })
  assert.strictEqual(answer.status, 200)
}

/** What every following call is answered with, until the next reset. */
export const setDefaults = (gateway: TestGateway, settings: string): Promise<Response> =>
  fetch(`${gateway.simulatorUrl}/_sim/defaults`, { method: "POST", body: settings })

export const resetSimulator = (gateway: TestGateway): Promise<Response> =>
  fetch(`${gateway.simulatorUrl}/_sim/reset`, { method: "POST" })

export const messagesCall = (content = "Hello", more: Readonly<Record<string, unknown>> = {}) => ({
  model: "claude-sonnet-5",
  max_tokens: 64,
  messages: [{ role: "user", content }],
  ...more
})

export const chatCall = (content = "Hello", more: Readonly<Record<string, unknown>> = {}) => ({
  model: "gpt-5.5",
  messages: [{ role: "user", content }],
  ...more
})

export const responsesCall = (input = "Hello", more: Readonly<Record<string, unknown>> = {}) => ({
  model: "gpt-5.5",
  input,
  ...more
})
