/** Ids of what providers store are found wherever a request may name them. */
import { assert, describe, it } from "@effect/vitest"
import { InvalidRequest } from "../../src/formats/json/fields.ts"
import type { JsonObject } from "../../src/formats/json/json.ts"
import { scanMembers } from "../../src/formats/json/scan.ts"
import { isThreaded, referencedIds, referencedItems } from "../../src/formats/stored-ids.ts"

const referenced = (text: string, isSent = true) => {
  const bytes = Buffer.from(text)
  return referencedIds(JSON.parse(text) as JsonObject, bytes, scanMembers(bytes)!, isSent)
}

const items = (text: string) => {
  const bytes = Buffer.from(text)
  return referencedItems(JSON.parse(text) as JsonObject, bytes, scanMembers(bytes)!)
}

describe("stored items", () => {
  it.each([
    ['[{"type":"item_reference","id":"msg_1"},{"role":"user","content":"Hi"}]', ["msg_1"]],
    ['[{"id":"msg_1"}, {"type":null,"id":"rs_1"}]', ["msg_1", "rs_1"]],
    // What has no content of its own is looked up by its id as well.
    ['[{"type":"reasoning","id":"rs_1","summary":[]}]', ["rs_1"]],
    ['[{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":null}]', ["rs_1"]],
    ['[{"type":"image_generation_call","id":"ig_1"}]', ["ig_1"]],
    ['[{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gAAA"}]', []],
    ['[{"type":"reasoning","summary":[]},{"type":"image_generation_call","id":"ig_1","result":"iVBO"}]', []],
    ['[{"type":"message","role":"assistant","id":"msg_1","content":"Hi"},{"role":"user","id":"a"}]', []],
    ['"msg_1"', []]
  ])("of the input %s", (input, expected) => {
    assert.deepStrictEqual(items(`{"model":"m","input": ${input}}`), expected)
  })

  it.each([
    '[{"type":"item_reference"}]',
    '[{"type":"item_reference","id":1}]',
    '[{"role":"user","content":"Hi"}, {"id":"a","type":"item_reference","id":"b"}]',
    '[{"id":"a","\\u0069d":"b"}]'
  ])("are refused where they are no one id: %s", (input) => {
    assert.throws(() => items(`{"input":${input}}`), InvalidRequest)
  })

  it("are at most 2,000 in a request", () => {
    const input = (count: number) =>
      JSON.stringify({ input: Array.from({ length: count }, (_, index) => ({ id: `msg_${index}` })) })
    assert.lengthOf(items(input(2_000)), 2_000)
    assert.throws(() => items(input(2_001)), InvalidRequest)
  })
})

describe("stored ids", () => {
  it.each([
    ['{"previous_response_id":"resp_1"}', [{ field: "previous_response_id", id: "resp_1" }]],
    ['{"conversation":"conv_1"}', [{ field: "conversation", id: "conv_1" }]],
    ['{"conversation":{"id":"conv_1"}}', [{ field: "conversation.id", id: "conv_1" }]],
    [
      '{"thread":{"type":"continue","previous_message_id":"msg_1"}}',
      [{ field: "thread.previous_message_id", id: "msg_1" }]
    ],
    [
      '{"prompt_cache_options":{"mode":"implicit","comparison_response_id":"resp_1"}}',
      [{ field: "prompt_cache_options.comparison_response_id", id: "resp_1" }]
    ],
    ['{"prompt_cache_options":{"mode":"implicit","comparison_response_id":null}}', []],
    ['{"thread":{"type":"create"},"previous_response_id":null}', []],
    ['{"input":[{"previous_response_id":"resp_1"}]}', []]
  ])("of %s", (text, expected) => {
    assert.deepStrictEqual(referenced(text), expected)
  })

  it.each([
    '{"previous_response_id":"a","previous_response_id":"b"}',
    '{"previous_response_id":"a","previous\\u005fresponse_id":"b"}',
    '{"conversation":{"id":"a","id":"b"}}',
    '{"prompt_cache_options":{"comparison_response_id":"a","comparison_response_id":"b"}}',
    '{"thread":{"previous_message_id":"a","previous_message_id":"b"}}'
  ])("given twice are refused: %s", (text) => {
    assert.throws(() => referenced(text), InvalidRequest)
  })

  it("that are compared with alone are nothing to who leaves them out", () => {
    const text = '{"previous_response_id":"a","prompt_cache_options":{"comparison_response_id":"b"}}'
    assert.deepStrictEqual(referenced(text, false), [{ field: "previous_response_id", id: "a" }])
  })

  it("are made by calls with a thread", () => {
    assert.isTrue(isThreaded({ thread: { type: "create" } }))
    assert.isFalse(isThreaded({ thread: null }))
    assert.isFalse(isThreaded({}))
  })
})
