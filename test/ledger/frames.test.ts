/** What gateway threads and the ledger say to each other arrives as it was said, to the micro-dong. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { AccountId, CallId, KeyId } from "../../src/domain/ids.ts"
import { packAnswers, packQuestions, unpackAnswers, unpackQuestions } from "../../src/ledger/bridge/frames.ts"
import type { Answer, Question } from "../../src/ledger/bridge/protocol.ts"
import { callRecord } from "./call-record.ts"

const accountId = "acc_1" as AccountId
const keyId = "key_1" as KeyId
const callId = "call_1" as CallId
const key = { accountId, keyId, secret: 3 }
const hash = Buffer.alloc(32, 7)

const MicroVnd = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 2n ** 63n - 1n }))

/** Each in a frame with others, whose ids tell which is which. */
const questionsBack = (questions: ReadonlyArray<Question>) =>
  unpackQuestions(packQuestions(questions.map((question, id) => ({ id, question }))))
const answersBack = (answers: ReadonlyArray<Answer>) =>
  unpackAnswers(packAnswers(answers.map((answer, id) => ({ id, answer }))))

/** With nothing said of what is `undefined`. */
const said = (messages: ReadonlyArray<object>) =>
  messages.map((message) =>
    Object.fromEntries(Object.entries(message).filter(([, value]) => value !== undefined))
  )

describe("a frame", () => {
  it.prop("of questions is read as it was written", [MicroVnd, MicroVnd], ([minimum, wanted]) => {
    const call = { accountId, callId, minimum, wanted }
    const questions: ReadonlyArray<Question> = [
      { _tag: "Identify", secretHash: hash },
      { _tag: "Admit", ...call, ...key },
      { _tag: "Extend", ...call, fromAllowance: minimum },
      { _tag: "Settle", record: callRecord(key, callId, wanted % 10n ** 15n), fromAllowance: minimum },
      { _tag: "Check", ...key, callId },
      { _tag: "Check", ...key, callId: undefined },
      { _tag: "Report", ...key, report: "usage", from: "2026-11-01", to: "", groupBy: "day" },
      { _tag: "FindStoredCall", accountId, storedIdHash: hash },
      { _tag: "FindStoredItems", accountId, hashes: [hash, Buffer.alloc(1)] }
    ]
    const back = questionsBack(questions)
    assert.deepStrictEqual(said(back.map(({ question }) => question)), said(questions))
    assert.deepStrictEqual(
      back.map(({ id }) => id),
      questions.map((_, id) => id)
    )
  })

  it.prop("of answers is read as it was written", [MicroVnd], ([granted]) => {
    const rules = { models: ["a", "b*"], endpoints: undefined, allowedIps: ["10.0.0.0/8"] }
    const answers: ReadonlyArray<Answer> = [
      { _tag: "Admitted", granted },
      { _tag: "Admitted", granted, allowance: { index: 0, generation: 65_535 } },
      { _tag: "Admitted", granted, rules },
      { _tag: "Limited", retryAfterMs: 59_999 },
      { _tag: "OverBudget", of: "member", resetsAtMs: Date.UTC(2026, 11) },
      { _tag: "OverBudget", of: "key", resetsAtMs: undefined },
      { _tag: "Maintenance" },
      { _tag: "Maintenance", message: "" },
      { _tag: "Identified", identity: key },
      { _tag: "Identified", identity: undefined },
      { _tag: "Report", isGood: false, text: "no" },
      { _tag: "StoredCall", tokens: 0 },
      { _tag: "StoredCall", tokens: undefined },
      { _tag: "StoredItems", tokens: 5, missing: undefined },
      { _tag: "StoredItems", tokens: 5, missing: 0 },
      { _tag: "Revoked" },
      { _tag: "Paused" },
      { _tag: "Expired" },
      { _tag: "Insufficient" },
      { _tag: "Unavailable" },
      { _tag: "Draining" },
      { _tag: "Settled" },
      { _tag: "Unpaid" }
    ]
    const back = answersBack(answers)
    assert.deepStrictEqual(said(back.map(({ answer }) => answer)), said(answers))
    assert.deepStrictEqual(
      back.map(({ id }) => id),
      answers.map((_, id) => id)
    )
  })
})
