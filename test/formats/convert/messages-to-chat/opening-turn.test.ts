import { assert, it } from "@effect/vitest"
import type { Json } from "../../../../src/formats/json/json.ts"
import { assistant, convert, result, text, use, user } from "../messages-requests.ts"

const contents = (messages: Json, provider: string) =>
  (
    convert({ system: "S", messages }, { provider }).messages as ReadonlyArray<{
      role: string
      content: Json
    }>
  ).map(({ role, content }) => (role === "user" ? `user: ${String(content)}` : role))

const opened = "user: (the conversation begins)"
const calls = [assistant(use("a")), user(result("a", "r"))]

it.each(["google", "zai", "alibaba"])("%s is told of a user before the first call, or at all", (provider) => {
  assert.deepStrictEqual(contents(calls, provider), ["system", opened, "assistant", "tool"])
  assert.deepStrictEqual(contents([...calls, user(text("so?"))], provider), [
    "system",
    opened,
    "assistant",
    "tool",
    "user: so?"
  ])
  assert.deepStrictEqual(contents([assistant(text("hello"))], provider), ["system", opened, "assistant"])
  assert.deepStrictEqual(contents([user(text("q")), ...calls], provider), [
    "system",
    "user: q",
    "assistant",
    "tool"
  ])
  assert.deepStrictEqual(contents([assistant(text("hello")), user(text("q"))], provider), [
    "system",
    "assistant",
    "user: q"
  ])
})

it.each(["openai", "deepseek", "mistral"])("%s takes a conversation without a user's turn", (provider) => {
  assert.deepStrictEqual(contents(calls, provider), ["system", "assistant", "tool"])
})
