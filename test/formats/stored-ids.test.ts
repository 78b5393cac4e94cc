/** Ids of what providers store are found wherever a request may name them. */
import { assert, describe, it } from "@effect/vitest"
import { InvalidRequest } from "../../src/formats/json/fields.ts"
import type { JsonObject } from "../../src/formats/json/json.ts"
import { scanMembers } from "../../src/formats/json/scan.ts"
import { isThreaded, referencedIds } from "../../src/formats/stored-ids.ts"

const referenced = (text: string) => {
  const bytes = Buffer.from(text)
  return referencedIds(JSON.parse(text) as JsonObject, bytes, scanMembers(bytes)!)
}

describe("stored ids", () => {
  it.each([
    ['{"previous_response_id":"resp_1"}', [{ field: "previous_response_id", id: "resp_1" }]],
    ['{"conversation":"conv_1"}', [{ field: "conversation", id: "conv_1" }]],
    ['{"conversation":{"id":"conv_1"}}', [{ field: "conversation.id", id: "conv_1" }]],
    [
      '{"thread":{"type":"continue","previous_message_id":"msg_1"}}',
      [{ field: "thread.previous_message_id", id: "msg_1" }]
    ],
    ['{"thread":{"type":"create"},"previous_response_id":null}', []],
    ['{"input":[{"previous_response_id":"resp_1"}]}', []]
  ])("of %s", (text, expected) => {
    assert.deepStrictEqual(referenced(text), expected)
  })

  it.each([
    '{"previous_response_id":"a","previous_response_id":"b"}',
    '{"previous_response_id":"a","previous\\u005fresponse_id":"b"}',
    '{"conversation":{"id":"a","id":"b"}}',
    '{"thread":{"previous_message_id":"a","previous_message_id":"b"}}'
  ])("given twice are refused: %s", (text) => {
    assert.throws(() => referenced(text), InvalidRequest)
  })

  it("are made by calls with a thread", () => {
    assert.isTrue(isThreaded({ thread: { type: "create" } }))
    assert.isFalse(isThreaded({ thread: null }))
    assert.isFalse(isThreaded({}))
  })
})
