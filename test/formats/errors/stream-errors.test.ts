/** What a client is told of an error that comes in the middle of an upstream's stream. */
import { assert, describe, it } from "@effect/vitest"
import { mapStreamError } from "../../../src/formats/errors/upstream-errors.ts"
import { errorOfFailure } from "../../../src/gateway/error-of-failure.ts"
import { providerOf } from "../../upstream/stub-providers.ts"

describe("an error inside a stream", () => {
  it.each([
    [{ type: "overloaded_error", message: "Overloaded" }, "api_error"],
    [{ type: "server_error", message: "x", code: 500 }, "api_error"],
    [{ type: "rate_limit_error", message: "x" }, "rate_limit_error"],
    [{ message: "x", code: 429 }, "rate_limit_error"],
    [{ type: "ThrottlingException", message: "x" }, "rate_limit_error"],
    [{ message: "x", code: 400 }, "invalid_request_error"],
    [{ type: "invalid_request_error", code: "tool_use_failed", message: "x" }, "invalid_request_error"],
    [{ type: "request_too_large", message: "x" }, "request_too_large"],
    [{ type: "authentication_error", message: "x" }, "api_error"],
    [{ code: "context_length_exceeded", message: "x" }, "invalid_request_error"],
    [{ type: "content_filter", message: "x" }, "invalid_request_error"],
    [{ code: "data_inspection_failed", message: "x" }, "invalid_request_error"],
    [{ code: "image_content_policy_violation", message: "x" }, "invalid_request_error"],
    [{ code: "image_parse_error", message: "x" }, "invalid_request_error"],
    [{ code: "image_too_small", message: "x" }, "invalid_request_error"],
    [{ code: "image_file_not_found", message: "x" }, "invalid_request_error"],
    [{ code: "empty_image_file", message: "x" }, "invalid_request_error"],
    [{ code: "unsupported_image_media_type", message: "x" }, "invalid_request_error"],
    [{ code: "failed_to_download_image", message: "x" }, "invalid_request_error"],
    [{ code: "image_generation_failed", message: "x" }, "api_error"],
    ["broken", "api_error"],
    [null, "api_error"],
    [17, "api_error"]
  ] as const)("%j is %s", (error, type) => {
    assert.strictEqual(mapStreamError(error).type, type)
    assert.isNotEmpty(mapStreamError(error).message)
  })

  it("keeps the code and the field by which clients know what to mend, and no other's", () => {
    const error = { code: "context_length_exceeded", param: "input", message: "too long" }
    assert.deepInclude(mapStreamError(error), { code: "context_length_exceeded", param: "input" })
    assert.notProperty(mapStreamError({ code: "server_error", message: "m" }), "code")
    const call = errorOfFailure(mapStreamError(error), providerOf([]))
    assert.deepInclude(call, { status: 400, code: "context_length_exceeded", param: "input" })
  })

  it("says nothing of the operator's empty account", () => {
    for (const told of [
      "Insufficient balance. Please recharge.",
      "Your account is in arrears, please recharge"
    ]) {
      const { message, type } = mapStreamError({ code: "1113", message: told })
      assert.strictEqual(type, "api_error")
      assert.notMatch(message, /balance|recharge/)
    }
  })
})
