/** The cap of an answer's length: what is held for is what the upstream is told. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { refusable } from "../../src/formats/json/fields.ts"
import { capEdits } from "../../src/formats/output-cap.ts"
import { pairOf, type Way } from "../../src/formats/pairs.ts"
import type { TextEndpoint } from "../../src/domain/call.ts"
import type { Model } from "../../src/domain/catalogue.ts"
import { chatCapNames } from "../../src/domain/output-cap-names.ts"
import { parseExactJson } from "../../src/formats/json/parse-exact-json.ts"
import type { JsonObject } from "../../src/formats/json/json.ts"
import { scanMembers } from "../../src/formats/json/scan.ts"
import { splice } from "../../src/formats/json/splice.ts"
import { chatModel, claudeModel } from "../wire/models.ts"

const small = { maxOutputTokens: 100 }

/** What goes up of this body where the wallet covers `covered` tokens, or all of it. */
const sent = (protocol: TextEndpoint, model: Model, text: string, covered = Infinity) => {
  const bytes = Buffer.from(text)
  const { outputCap } = pairOf({ endpoint: protocol, protocol } as Way)
  const cap = outputCap(model, parseExactJson(text) as JsonObject, scanMembers(bytes)!)
  return splice(bytes, capEdits(cap, Math.min(cap.tokens, covered))).toString()
}

describe("the cap that goes upstream", () => {
  it("is the caller's own bytes where nothing has to change", () => {
    for (const text of ['{"a":1, "max_tokens" : 1e1}', '{"a":1}', '{"max_tokens":"many"}'])
      assert.strictEqual(sent("messages", claudeModel(small), text), text)
  })

  it("is lowered to what the model can give, but that of a Responses call never is", () => {
    assert.strictEqual(sent("messages", claudeModel(small), '{"max_tokens":101}'), '{"max_tokens":100}')
    assert.strictEqual(sent("messages", claudeModel(small), '{"max_tokens":100}'), '{"max_tokens":100}')
    assert.strictEqual(sent("chat_completions", chatModel(small), '{"max_tokens":101}'), '{"max_tokens":100}')
    const responses = '{"max_output_tokens":101}'
    assert.strictEqual(sent("responses", chatModel(small), responses), responses)
  })

  it("is lowered to what the wallet covers, and written where there was none", () => {
    assert.strictEqual(sent("messages", claudeModel(), '{"max_tokens":90}', 7), '{"max_tokens":7}')
    assert.strictEqual(sent("responses", chatModel(), '{"a":1}', 7), '{"max_output_tokens":7,"a":1}')
  })

  it("has the name that the model takes, also where it has no number", () => {
    const newer = chatModel({ outputCapField: "max_completion_tokens" })
    assert.strictEqual(
      sent("chat_completions", newer, '{"a":1,"max_tokens":9}'),
      '{"a":1,"max_completion_tokens":9}'
    )
    const none = '{"max_tokens":null}'
    assert.strictEqual(sent("chat_completions", newer, none), '{"max_completion_tokens":null}')
    assert.strictEqual(sent("chat_completions", newer, none, 7), '{"max_completion_tokens":7}')
  })

  it("stands there once, whichever name it came under and the model takes", () => {
    for (const outputCapField of chatCapNames)
      for (const name of chatCapNames)
        assert.strictEqual(
          sent("chat_completions", chatModel({ outputCapField }), `{"${name}":9}`, 7),
          `{"${outputCapField}":7}`
        )
  })

  it("changes nothing but its number and its name", () => {
    const spaced = '{ "a" : 1,\n "max\\u005ftokens"\t:  101 , "b":2}'
    assert.strictEqual(sent("messages", claudeModel(small), spaced), spaced.replace("101", "100"))
    const newer = chatModel({ outputCapField: "max_completion_tokens" })
    assert.strictEqual(
      sent("chat_completions", newer, '{ "max_tokens" :\n 9 , "a": 1 }'),
      '{ "max_completion_tokens" :\n 9 , "a": 1 }'
    )
    assert.strictEqual(
      sent("chat_completions", chatModel(), '{"max_completion_tokens": 7, "max_tokens": 9}'),
      '{"max_tokens": 7}'
    )
  })

  it("stands there once where it came under two names: the smaller one", () => {
    assert.strictEqual(
      sent("chat_completions", chatModel(), '{"max_completion_tokens":7,"a":1,"max_tokens":9}'),
      '{"max_tokens":7,"a":1}'
    )
  })

  it("is not overruled by a larger one under another protocol's name", () => {
    const isRefused = (protocol: TextEndpoint, text: string) =>
      Result.isFailure(refusable(() => sent(protocol, chatModel(small), text)))
    for (const [protocol, text] of [
      ["chat_completions", '{"max_tokens":1,"max_output_tokens":2}'],
      ["chat_completions", '{"max_tokens":1,"max_new_tokens":"1"}'],
      ["chat_completions", '{"max_output_tokens":101}'],
      ["messages", '{"max_tokens":1,"max_completion_tokens":2}'],
      ["responses", '{"max_output_tokens":1,"max_tokens":1e9}']
    ] as const)
      assert.isTrue(isRefused(protocol, text), text)
    for (const [protocol, text] of [
      ["chat_completions", '{"max_tokens":5,"max_output_tokens":5}'],
      ["chat_completions", '{"max_tokens":5,"max_completion_tokens":9,"max_output_tokens":null}'],
      ["messages", '{"max_tokens":5,"max_completion_tokens":3}'],
      ["responses", '{"max_tokens":100}']
    ] as const)
      assert.isFalse(isRefused(protocol, text), text)
  })
})
