/** Bodies that are JSON, and odd: refused by the field's name or passed on, never a fault of the gateway's own. */
import { assert } from "@effect/vitest"
import { afterAll, beforeAll, describe, it } from "vitest"
import { ask, chatCall, errorOf, messagesCall, responsesCall } from "./ask.ts"
import { convertedCalls, endpoints } from "./endpoints.ts"
import { startGateway, type TestAccount, type TestGateway } from "./start-gateway.ts"

let gateway: TestGateway
let account: TestAccount
beforeAll(async () => {
  gateway = await startGateway()
  account = await gateway.account("100000000")
})
afterAll(() => gateway.stop())

const wrongValues = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  9007199254740991,
  "",
  "x",
  [],
  [null],
  [[]],
  [1],
  ["x"],
  [{}],
  [{ role: 1 }],
  [{ role: "user" }],
  [{ role: "user", content: null }],
  [{ role: "user", content: 1 }],
  [
    {
      role: "user",
      content: [null, 1, "x", {}, { type: 1 }, { type: "image" }, { type: "image_url", image_url: 1 }]
    }
  ],
  [{ role: "tool", content: {} }],
  {},
  { a: 1 }
]

const fields = [
  "model",
  "messages",
  "max_tokens",
  "max_completion_tokens",
  "max_output_tokens",
  "stream",
  "stream_options",
  "system",
  "tools",
  "tool_choice",
  "n",
  "stop",
  "stop_sequences",
  "metadata",
  "thinking",
  "input",
  "prompt",
  "size",
  "image",
  "voice",
  "previous_response_id",
  "conversation",
  "thread"
]

describe("a field of a wrong type", () => {
  for (const [path, body, family] of [...endpoints, ...convertedCalls]) {
    it(`is 400 or passed on at ${path} (${body.model}), never a fault`, async () => {
      for (const field of fields) {
        const answers = await Promise.all(
          wrongValues.map((value) => ask(gateway, account.key, path, { ...body, [field]: value }))
        )
        answers.forEach((answer, index) => {
          const what = `${field}: ${JSON.stringify(wrongValues[index])}: ${answer.text.slice(0, 300)}`
          assert.isBelow(answer.status, 500, what)
          if (answer.status >= 400) errorOf(answer, family)
        })
      }
      assert.notInclude(gateway.output, "fault of the gateway")
    })
  }

  it("is named by the message", async () => {
    const wrong = [
      ["/v1/messages", { ...messagesCall(), messages: "x" }, "messages"],
      ["/v1/messages", { ...messagesCall(), messages: [] }, "messages"],
      ["/v1/messages", { ...messagesCall(), messages: undefined }, "messages"],
      ["/v1/messages", { ...messagesCall(), max_tokens: "x" }, "max_tokens"],
      ["/v1/messages", { ...messagesCall(), max_tokens: undefined }, "max_tokens"],
      ["/v1/messages", { ...messagesCall(), max_tokens: -1 }, "max_tokens"],
      ["/v1/messages", { ...messagesCall(), max_tokens: 1.5 }, "max_tokens"],
      ["/v1/messages", { ...messagesCall(), stream: "yes" }, "stream"],
      ["/v1/messages", { ...messagesCall(), model: 1 }, "model"],
      ["/v1/messages", { ...messagesCall(), model: "" }, "model"],
      ["/v1/chat/completions", { ...chatCall(), messages: {} }, "messages"],
      ["/v1/chat/completions", { ...chatCall(), max_tokens: 0 }, "max_tokens"],
      ["/v1/chat/completions", { ...chatCall(), stream: 1 }, "stream"],
      ["/v1/responses", { ...responsesCall(), previous_response_id: ["resp_1"] }, "previous_response_id"],
      ["/v1/responses", { ...responsesCall(), conversation: ["conv_1"] }, "conversation"],
      ["/v1/responses", { ...responsesCall(), conversation: { id: ["conv_1"] } }, "conversation.id"],
      ["/v1/images/generations", { model: "req/gpt-image-2" }, "prompt"],
      ["/v1/images/generations", { model: "req/gpt-image-2", prompt: "x", n: 0 }, "n"],
      ["/v1/images/generations", { model: "req/gpt-image-2", prompt: "x", size: "big" }, "size"],
      ["/v1/audio/speech", { model: "req/gpt-4o-mini-tts", voice: "alloy" }, "input"],
      ["/v1/audio/speech", { model: "req/gpt-4o-mini-tts", input: "x" }, "voice"]
    ] as const
    for (const [path, body, field] of wrong) {
      const answer = await ask(gateway, account.key, path, body)
      assert.strictEqual(answer.status, 400, `${field}: ${answer.text}`)
      const family = path.startsWith("/v1/messages") ? "messages" : "chat"
      const error = errorOf(answer, family)
      assert.include(error.message, field)
      if (family === "chat") assert.strictEqual(error.param, field)
    }
  })
})

describe("an odd but valid body", () => {
  const odd: ReadonlyArray<readonly [string, (body: string) => string]> = [
    ["huge numbers", (body) => body.replace("{", '{"x":1e999999,"y":-1e999999,"z":[1E400],')],
    ["long numbers", (body) => body.replace("{", `{"x":${"9".repeat(100_000)},`)],
    ["duplicate keys", (body) => body.replace("{", '{"a":1,"a":2,"__proto__":{"model":1},"__proto__":2,')],
    ["lone surrogates", (body) => body.replace("Hello", "Hello \\ud800 \\udc00\\ud800")],
    ["NUL escapes", (body) => body.replace("Hello", "Hello \\u0000\\u0000")],
    ["a very long key", (body) => body.replace("{", `{"${"k".repeat(1_000_000)}":1,`)],
    [
      "many keys",
      (body) =>
        body.replace("{", `{${Array.from({ length: 50_000 }, (_, index) => `"k${index}":0,`).join("")}`)
    ],
    ["much white space", (body) => `${" ".repeat(1_000_000)}${body}${"\n".repeat(1_000_000)}`]
  ]
  for (const [name, change] of odd) {
    it(`(${name}) is 400 or passed on`, async () => {
      for (const [path, body] of [...endpoints, ...convertedCalls]) {
        const answer = await ask(gateway, account.key, path, change(JSON.stringify(body)))
        assert.isBelow(answer.status, 500, `${path} ${body.model}: ${answer.text.slice(0, 300)}`)
      }
    })
  }

  it("may name the model with NUL, controls, surrogates and at any length", async () => {
    for (const name of [
      "x\\u0000y",
      "\\ud800",
      "x".repeat(100_000),
      "\\u202e\\ufeff",
      "a/\\u0000",
      "😀".repeat(300)
    ]) {
      for (const [path, body] of endpoints) {
        const text = JSON.stringify({ ...body, model: "@" }).replace('"@"', `"${name}"`)
        const answer = await ask(gateway, account.key, path, text)
        assert.isBelow(answer.status, 500, `${path} ${name.slice(0, 20)}: ${answer.text.slice(0, 300)}`)
      }
    }
    // Each has its row all the same.
    const { accountId, key } = await gateway.account()
    const answer = await ask(gateway, key, "/v1/messages", messagesCall("Hello", { model: "a\u0000b" }))
    assert.strictEqual((await gateway.calls(accountId, 1))[0]!.id, answer.id)
  })

  it("may come with any content type, or none", async () => {
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/json; charset=utf-8"
    ]) {
      const answer = await ask(gateway, account.key, "/v1/messages", messagesCall(), { "content-type": type })
      assert.strictEqual(answer.status, 200)
    }
  })
})

describe("after all this", () => {
  it("the gateway has met no fault of its own and answers", async () => {
    assert.notInclude(gateway.output, "fault of the gateway")
    assert.isNull(gateway.exitCode)
    assert.strictEqual((await ask(gateway, account.key, "/v1/messages", messagesCall())).status, 200)
  })
})
