/** A call's row on its way over the bridge and through the spool. */
import { assert, describe, it } from "@effect/vitest"
import { noExtras } from "../../src/domain/call.ts"
import type { AccountId } from "../../src/domain/ids.ts"
import { pack, packRecord, unpack, unpackRecord } from "../../src/ledger/pack-record.ts"
import { callOf } from "../accounts/write-calls.ts"

const plain = callOf("acc_1" as AccountId)
const full = callOf("acc_1" as AccountId, 1, {
  storedItemHashes: [Buffer.from("ff00", "hex"), Buffer.from("00", "hex")],
  extras: {
    cacheReadTokens: 1,
    cacheWriteTokens: 2,
    reasoningTokens: 3,
    tier: "priority+us",
    factor: "2.2",
    attempts: [
      { route: "first", outcome: 429, ms: 312 },
      { route: "second", outcome: 200, ms: 840 }
    ],
    toolUses: [
      { tool: "web_search", uses: 4, price: 10n ** 15n },
      { tool: "mcp", uses: 5, price: undefined }
    ],
    others: [
      {
        model: "a",
        inputTokens: 6,
        cacheReadTokens: 3,
        cacheWriteTokens: 2,
        outputTokens: 7,
        perMtokVnd: 8,
        isApart: true
      }
    ],
    route: "openai#1"
  }
})

describe("a packed row", () => {
  it.each([plain, full])("is the same when it is unpacked", (record) => {
    assert.deepStrictEqual(unpackRecord(unpack(pack(packRecord(record)))), record)
  })

  it("is read from a spool that a former version has left, in this order", () => {
    const extras = [
      1,
      2,
      3,
      "priority+us",
      "2.2",
      "openai#1",
      [
        ["web_search", 4, 10n ** 15n],
        ["mcp", 5, null]
      ],
      [["a", 6, 7, 8, true, 3, 2]],
      [
        ["first", 429, 312],
        ["second", 200, 840]
      ]
    ]
    const written = packRecord(full).with(20, extras)
    assert.deepStrictEqual(unpackRecord(unpack(pack(written))).extras, full.extras)
  })

  it("of a former version has nothing to tell beside its cost", () => {
    const former = packRecord(full).slice(0, 20)
    assert.deepStrictEqual(unpackRecord(unpack(pack(former))), {
      ...full,
      extras: noExtras,
      storedItemHashes: []
    })
  })
})
