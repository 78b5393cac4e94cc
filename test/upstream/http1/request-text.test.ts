/** The head of a request as it goes out. */
import { assert, describe, it } from "vitest"
import { requestText } from "../../../src/upstream/http1/request-text.ts"

describe("the head of a request", () => {
  it.each([
    [{ accept: "*/*" }, "host: example.com\r\naccept: */*\r\n"],
    // Another one beside it would break the signature.
    [{ host: "signed.example.com" }, "host: signed.example.com\r\n"]
  ])("names one host: %j", (headers, lines) => {
    assert.strictEqual(
      requestText("example.com", "/x", headers, 2),
      `POST /x HTTP/1.1\r\n${lines}content-length: 2\r\n\r\n`
    )
  })
})
