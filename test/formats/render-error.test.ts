/** How the clients of a stream are told that it has failed. */
import { assert, describe, it } from "@effect/vitest"
import { APIError } from "openai"
import { Stream } from "openai/streaming"
import { type ErrorShown, responsesErrors } from "../../src/formats/render-error.ts"

const shown: ErrorShown = { type: "api_error", message: "The model's answer broke off.", requestId: "req_1" }

/** What the OpenAI SDK throws when it comes to this event, or the event where it throws nothing. */
const readBySdk = async (frame: string): Promise<unknown> => {
  try {
    for await (const event of Stream.fromSSEResponse(new Response(frame), new AbortController())) return event
  } catch (error) {
    return error
  }
  return undefined
}

describe("the error event of a Responses stream", () => {
  it("has the members that are documented, under the number that follows", () => {
    const data = responsesErrors.frame({ ...shown, param: "input" }, 7).split("data: ")[1]!
    assert.deepInclude(JSON.parse(data), {
      type: "error",
      code: "server_error",
      message: shown.message,
      param: "input",
      sequence_number: 7
    })
  })

  it.each([
    [{}, "server_error"],
    [{ type: "service_unavailable" }, "server_error"],
    [{ type: "rate_limit_error" }, "rate_limit_exceeded"],
    [{ type: "insufficient_balance" }, "insufficient_quota"],
    [{ type: "invalid_request_error" }, "invalid_prompt"],
    [{ type: "invalid_request_error", message: "prompt is too long" }, "context_length_exceeded"],
    [{ type: "invalid_request_error", code: "invalid_image" }, "invalid_image"]
  ] as const)(
    "is thrown by the OpenAI SDK with the code that its clients act upon: %j, %s",
    async (told, code) => {
      const error = { ...shown, ...told }
      const thrown = await readBySdk(responsesErrors.frame(error, 7))
      assert.instanceOf(thrown, APIError)
      assert.deepInclude(thrown, { code, type: error.type })
      assert.include((thrown as APIError).message, error.message)
    }
  )
})
