/** A path that is nearly right is told what it should be, since base addresses are typed by hand. */
import { assert, describe, it } from "@effect/vitest"
import { destinationOf } from "../../src/http/destinations.ts"

describe("a path that is nearly right", () => {
  it.each([
    ["/v1//chat/completions", "/v1/chat/completions"],
    ["//v1/messages", "/v1/messages"],
    ["/v1/messages/", "/v1/messages"],
    ["/v1/v1/models/", "/v1/models"],
    ["/responses", "/v1/responses"],
    ["/v1/v1/models/svc/nova-pro", "/v1/models/svc/nova-pro"]
  ])("%s is told of %s", (path, right) => {
    assert.deepStrictEqual(destinationOf("POST", path), { _tag: "WrongBase", right })
  })

  it("is the dashboard's below /api, but for what Claude Code asks of its provider", () => {
    assert.deepStrictEqual(destinationOf("GET", "/api/openapi.json"), { _tag: "Dashboard" })
    assert.deepStrictEqual(destinationOf("HEAD", "/api/hello"), { _tag: "Unknown" })
  })

  it.each(["/v1", "/v1/", "//", "/nothing/", "/v1/v1", "/v1/nothing"])("%s is near nothing", (path) => {
    assert.deepStrictEqual(destinationOf("POST", path), { _tag: "Unknown" })
  })
})
