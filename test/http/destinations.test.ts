/** Which path leads where; one that is nearly right is told what it should be, since base addresses are typed by hand. */
import { assert, describe, it } from "@effect/vitest"
import { destinationOf } from "../../src/http/destinations.ts"

const wrong = (allow: string) => ({ _tag: "WrongMethod", allow })

describe("a path", () => {
  it.each([
    ["/v1/messages", "messages"],
    ["/v1/chat/completions", "chat_completions"],
    ["/v1/responses", "responses"],
    ["/v1/messages/count_tokens", "count_tokens"],
    ["/v1/images/generations", "images_generations"],
    ["/v1/images/edits", "images_edits"],
    ["/v1/audio/speech", "audio_speech"]
  ])("%s takes calls of %s, by POST alone", (path, endpoint) => {
    assert.deepInclude<object>(destinationOf("POST", path), { _tag: "Call", endpoint })
    for (const method of ["GET", "HEAD", "PUT", "DELETE"])
      assert.deepStrictEqual<unknown>(destinationOf(method, path), wrong("POST"))
  })

  it.each([
    ["/", { _tag: "Root" }],
    ["/.well-known/change-password", { _tag: "ChangePassword" }],
    ["/openapi.json", { _tag: "Dashboard" }],
    ["/llms.txt", { _tag: "Dashboard" }],
    ["/healthz", { _tag: "Operations", page: "healthz" }],
    ["/readyz", { _tag: "Operations", page: "readyz" }],
    ["/metrics", { _tag: "Operations", page: "metrics" }],
    ["/v1/models", { _tag: "Models", id: undefined }],
    ["/v1/models/svc/nova-pro", { _tag: "Models", id: "svc/nova-pro" }],
    ["/v1/models/svc%2Fnova-pro", { _tag: "Models", id: "svc/nova-pro" }],
    ["/v1/balance", { _tag: "Report", report: "balance" }],
    ["/v1/usage", { _tag: "Report", report: "usage" }],
    ["/v1/dashboard/billing/subscription", { _tag: "Report", report: "subscription" }],
    ["/v1/dashboard/billing/usage", { _tag: "Report", report: "billing_usage" }]
  ])("%s is read, and nothing else", (path, destination) => {
    for (const method of ["GET", "HEAD"])
      assert.deepStrictEqual<unknown>(destinationOf(method, path), destination)
    assert.deepStrictEqual<unknown>(destinationOf("POST", path), wrong("GET, HEAD"))
  })

  it.each(["/dashboard", "/dashboard/keys", "/api/usage", "/webhooks/sepay", "/status", "/status.json"])(
    "%s is the dashboard's, by any method",
    (path) => {
      for (const method of ["GET", "POST", "DELETE"])
        assert.deepStrictEqual(destinationOf(method, path), { _tag: "Dashboard" })
    }
  )

  it.each([
    "/dashboards",
    "/.well-known/none-that-there-is",
    "/webhooks",
    "/status/x",
    "/v1/models/%",
    "/v1/models/%zz",
    "/x/v1/messages"
  ])("%s leads nowhere", (path) => {
    assert.deepStrictEqual(destinationOf("GET", path), { _tag: "Unknown" })
  })
})

describe("a path that is nearly right", () => {
  it.each([
    ["/v1//chat/completions", "/v1/chat/completions"],
    ["//v1/messages", "/v1/messages"],
    ["/v1/messages/", "/v1/messages"],
    ["/v1/v1/models/", "/v1/models"],
    ["/v1/models/", "/v1/models"],
    ["/responses", "/v1/responses"],
    ["/v1/v1/models/svc/nova-pro", "/v1/models/svc/nova-pro"]
  ])("%s is told of %s", (path, right) => {
    assert.deepStrictEqual(destinationOf("POST", path), { _tag: "WrongBase", right })
  })

  it.each([
    ["/api/v1/chat/completions", "/v1/chat/completions"],
    ["/api/v1/messages", "/v1/messages"],
    ["/api/v1/models", "/v1/models"],
    ["/api/paas/v4/chat/completions", "/v1/chat/completions"],
    ["/openai/v1/responses", "/v1/responses"],
    ["/openai/deployments/gpt-5.4/chat/completions", "/v1/chat/completions"],
    ["/v1/deployments/gpt-5.4/chat/completions", "/v1/chat/completions"],
    ["/v1beta/openai/chat/completions", "/v1/chat/completions"],
    ["/compatible-mode/v1/models/", "/v1/models"],
    ["/anthropic/v1/messages", "/v1/messages"],
    ["/models/chat/completions", "/v1/chat/completions"]
  ])("below another service's base (%s) is told of %s", (path, right) => {
    assert.deepStrictEqual(destinationOf("POST", path), { _tag: "WrongBase", right })
  })

  it.each(["/api/v1", "/api/v1/key", "/api/messages", "/api/models", "/api/usage"])(
    "%s is the dashboard's all the same",
    (path) => {
      assert.deepStrictEqual(destinationOf("GET", path), { _tag: "Dashboard" })
    }
  )

  it("is the dashboard's below /api, but for what Claude Code asks of its provider", () => {
    assert.deepStrictEqual(destinationOf("GET", "/api/openapi.json"), { _tag: "Dashboard" })
    assert.deepStrictEqual(destinationOf("HEAD", "/api/hello"), { _tag: "Unknown" })
  })

  it.each(["/v1", "/v1/", "//", "/nothing/", "/v1/v1", "/v1/nothing", "/messages/v1"])(
    "%s is near nothing",
    (path) => {
      assert.deepStrictEqual(destinationOf("POST", path), { _tag: "Unknown" })
    }
  )
})
