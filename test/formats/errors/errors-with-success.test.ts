import { assert, describe, it } from "@effect/vitest"
import { AnswerUnreadable, readAnswer, type ReadAnswerTask } from "../../../src/compute/read-answer.ts"
import { pairOf } from "../../../src/formats/pairs.ts"
import { errorIn } from "../../../src/formats/errors/upstream-errors.ts"
import { limitsOf } from "../../tokens/limits.ts"
import { modelLike } from "../../tokens/models.ts"
import { context } from "../bedrock-fixtures.ts"

describe("an error told with a success's status", () => {
  const asks = (status_code: number, status_msg: string) => ({ base_resp: { status_code, status_msg } })

  it.each([
    [asks(1002, "rate limit"), "rate_limit_error"],
    [asks(1008, "insufficient balance"), "api_error"],
    [asks(1027, "output new_sensitive"), "invalid_request_error"],
    [asks(2013, "invalid params"), "invalid_request_error"],
    [asks(1033, "system error"), "api_error"],
    [{ error: { code: "1301", message: "unsafe or sensitive content" } }, "invalid_request_error"],
    [{ error: { code: "1302", message: "High concurrency usage of this API" } }, "rate_limit_error"],
    [{ error: { code: "1113", message: "Your account is in arrears" } }, "api_error"],
    [{ error: { code: "1234", message: "Network error" } }, "api_error"],
    [{ error: "Internal error" }, "api_error"],
    [{ object: "error", message: "busy", code: 429 }, "rate_limit_error"],
    [{ choices: [{ error: { code: 429, message: "busy" }, finish_reason: "error" }] }, "rate_limit_error"],
    [{ choices: [{ error: { code: 502, message: "lost" }, message: { content: "" } }] }, "api_error"],
    [{ x_groq: { id: "r", error: "over capacity" } }, "api_error"]
  ] as const)("%j is %s, whole and in streams", (told, type) => {
    const model = modelLike("a-model")
    const reading = { context, model, limits: limitsOf(model) }
    const answers = [
      [
        { endpoint: "messages", protocol: "messages" },
        { type: "message", content: [] }
      ],
      [
        { endpoint: "chat_completions", protocol: "messages" },
        { type: "message", content: [] }
      ],
      [{ endpoint: "messages", protocol: "responses" }, { output: [] }],
      [{ endpoint: "chat_completions", protocol: "responses" }, { output: [] }],
      [{ endpoint: "messages", protocol: "chat_completions" }, { choices: [] }],
      [{ endpoint: "chat_completions", protocol: "chat_completions" }, { choices: [] }],
      [{ endpoint: "responses", protocol: "responses" }, { output: [] }]
    ] as const
    for (const [way, answer] of answers) {
      const bytes = Buffer.from(JSON.stringify({ ...answer, ...told }))
      assert.strictEqual(unreadable({ ...reading, way, bytes }).type, type)
    }
    for (const [way] of answers) {
      const codec = pairOf(way).stream(context)
      const given = codec.push(Buffer.from(`data: ${JSON.stringify(told)}\n\n`))
      assert.isUndefined(given)
      assert.strictEqual(codec.failure?.type, type)
    }
  })

  it.each([
    { code: "InvalidApiKey", message: "Invalid API-key provided.", request_id: "r" },
    { detail: "out of memory on 10.0.0.7" }
  ])("%j, and nothing beside, is one and not passed on", (told) => {
    const codec = pairOf({ endpoint: "chat_completions", protocol: "chat_completions" }).stream(context)
    assert.isUndefined(codec.push(Buffer.from(`data: ${JSON.stringify(told)}\n\n`)))
    assert.strictEqual(codec.failure?.type, "api_error")
  })

  it.each(["failed", "cancelled", "queued", "in_progress"])(
    "is a response whose status is %s, though it names no error",
    (status) => {
      const model = modelLike("a-model")
      const bytes = Buffer.from(JSON.stringify({ object: "response", status, error: null, output: [] }))
      for (const endpoint of ["responses", "messages", "chat_completions"] as const) {
        const way = { endpoint, protocol: "responses" } as const
        assert.strictEqual(
          unreadable({ context, model, limits: limitsOf(model), way, bytes }).type,
          "api_error"
        )
      }
    }
  )

  it.each(["event: error", "event:error", "event:  Error ", "event: ERROR\r"])("%j names one", (name) => {
    const codec = pairOf({ endpoint: "chat_completions", protocol: "chat_completions" }).stream(context)
    assert.isUndefined(codec.push(Buffer.from(`${name}\ndata: {"reason":"the key"}\n\n`)))
    assert.strictEqual(codec.failure?.type, "api_error")
    const told = pairOf({ endpoint: "chat_completions", protocol: "chat_completions" }).stream(context)
    told.push(Buffer.from(`${name}\ndata: {"type":"rate_limit_error","message":"slow"}\n\n`))
    assert.deepStrictEqual(told.failure, { type: "rate_limit_error", message: "slow" })
    const converting = pairOf({ endpoint: "messages", protocol: "chat_completions" }).stream(context)
    converting.push(Buffer.from('event: error\ndata: {"type":"rate_limit_error","message":"slow"}\n\n'))
    assert.deepStrictEqual(converting.failure, { type: "rate_limit_error", message: "slow" })
  })

  it.each([
    ["context_length_exceeded", "invalid_request_error"],
    ["rate_limit_exceeded", "rate_limit_error"],
    ["server_error", "api_error"]
  ] as const)("is what a response failed of, in the middle of its stream: %s", (code, type) => {
    const events = [
      { type: "response.created", response: { id: "resp_1", output: [] } },
      {
        type: "response.failed",
        response: { id: "resp_1", status: "failed", error: { code, message: "why" } }
      }
    ]
    for (const endpoint of ["responses", "messages", "chat_completions"] as const) {
      const codec = pairOf({ endpoint, protocol: "responses" }).stream(context)
      for (const event of events)
        codec.push(Buffer.from(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`))
      codec.end()
      assert.deepInclude(codec.failure, { type, message: "why" })
    }
  })

  it("is none where it says that there is none", () => {
    for (const told of [asks(0, "success"), { error: null }, { error: "" }, { x_groq: { id: "r" } }])
      assert.isUndefined(errorIn(told))
  })
})

const unreadable = (task: ReadAnswerTask) => {
  try {
    readAnswer(task)
  } catch (error) {
    if (error instanceof AnswerUnreadable) return error.failure
    throw error
  }
  return assert.fail("the answer was taken for one")
}
