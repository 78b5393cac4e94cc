/**
 * What gateway threads and the ledger say to each other as bytes: msgpack frames over a MessagePort, many messages to a
 * frame. Here alone is known how a question or an answer is written.
 */
import type { KeyRules } from "../../domain/key-settings.ts"
import { pack, packRecord, unpack, unpackRecord } from "../pack-record.ts"
import type { Answer, Answered, Asked, Question } from "./protocol.ts"

type Fields = ReadonlyArray<unknown>

export const packQuestions = (asked: ReadonlyArray<Asked>): Uint8Array<ArrayBuffer> =>
  pack(asked.map(({ id, question }) => [id, ...writeQuestion(question)]))

export const unpackQuestions = (frame: Uint8Array): ReadonlyArray<Asked> =>
  (unpack(frame) as ReadonlyArray<Fields>).map(([id, ...fields]) => ({
    id: id as number,
    question: readQuestion(fields)
  }))

export const packAnswers = (answered: ReadonlyArray<Answered>): Uint8Array<ArrayBuffer> =>
  pack(answered.map(({ answer, id }) => [id, ...writeAnswer(answer)]))

export const unpackAnswers = (frame: Uint8Array): ReadonlyArray<Answered> =>
  (unpack(frame) as ReadonlyArray<Fields>).map(([id, ...fields]) => ({
    id: id as number,
    answer: readAnswer(fields)
  }))

const questionCodes = {
  Identify: 1,
  Admit: 2,
  Extend: 3,
  Settle: 4,
  Check: 5,
  FindStoredCall: 6,
  Report: 7,
  FindStoredItems: 8
} satisfies Record<Question["_tag"], number>

const writeQuestion = (question: Question): Fields => {
  const code = questionCodes[question._tag]
  switch (question._tag) {
    case "Identify":
      return [code, question.secretHash]
    case "Admit":
      return [
        code,
        question.accountId,
        question.keyId,
        question.callId,
        question.minimum,
        question.wanted,
        question.secret
      ]
    case "Extend":
      return [
        code,
        question.accountId,
        question.callId,
        question.minimum,
        question.wanted,
        question.fromAllowance
      ]
    case "Settle":
      return [code, packRecord(question.record), question.fromAllowance]
    case "Check":
      return [code, question.accountId, question.keyId, question.callId, question.secret]
    case "FindStoredCall":
      return [code, question.accountId, question.storedIdHash]
    case "FindStoredItems":
      return [code, question.accountId, question.hashes]
    case "Report": {
      const { accountId, from, groupBy, keyId, report, secret, to } = question
      return [code, accountId, keyId, secret, report, [from, to, groupBy]]
    }
  }
}

/** Frames come from our own threads, written just above. */
const readQuestion = (fields: Fields): Question => {
  const [code, a, b, c, d, e, f] = fields as [number, never, never, never, never, never, never]
  switch (code) {
    case questionCodes.Identify:
      return { _tag: "Identify", secretHash: a }
    case questionCodes.Admit:
      return {
        _tag: "Admit",
        accountId: a,
        keyId: b,
        callId: c,
        minimum: BigInt(d),
        wanted: BigInt(e),
        secret: f
      }
    case questionCodes.Extend:
      return {
        _tag: "Extend",
        accountId: a,
        callId: b,
        minimum: BigInt(c),
        wanted: BigInt(d),
        fromAllowance: BigInt(e)
      }
    case questionCodes.Settle:
      return { _tag: "Settle", record: unpackRecord(a), fromAllowance: BigInt(b) }
    case questionCodes.Check:
      return { _tag: "Check", accountId: a, keyId: b, callId: c ?? undefined, secret: d }
    case questionCodes.Report: {
      const [from, to, groupBy] = e as readonly [string, string, string]
      return { _tag: "Report", accountId: a, keyId: b, secret: c, report: d, from, to, groupBy }
    }
    case questionCodes.FindStoredItems:
      return { _tag: "FindStoredItems", accountId: a, hashes: b }
    default:
      return { _tag: "FindStoredCall", accountId: a, storedIdHash: b }
  }
}

const answerCodes = {
  Admitted: 0,
  Revoked: 1,
  Insufficient: 2,
  Limited: 3,
  Unavailable: 4,
  Maintenance: 5,
  Draining: 6,
  Identified: 7,
  Settled: 8,
  Unpaid: 9,
  StoredCall: 10,
  Paused: 11,
  Expired: 12,
  OverBudget: 13,
  Report: 14,
  StoredItems: 15
} satisfies Record<Answer["_tag"], number>

const plainAnswers = new Map<number, Answer>(
  (
    ["Revoked", "Paused", "Expired", "Insufficient", "Unavailable", "Draining", "Settled", "Unpaid"] as const
  ).map((tag): [number, Answer] => [answerCodes[tag], { _tag: tag }])
)

const writeAnswer = (answer: Answer): Fields => {
  const code = answerCodes[answer._tag]
  switch (answer._tag) {
    case "Admitted":
      if (answer.rules !== undefined) return [code, answer.granted, writeRules(answer.rules)]
      return answer.allowance === undefined
        ? [code, answer.granted]
        : [code, answer.granted, answer.allowance.index, answer.allowance.generation]
    case "Limited":
      return [code, answer.retryAfterMs]
    case "OverBudget":
      return [code, answer.of, answer.resetsAtMs]
    case "Maintenance":
      return answer.message === undefined ? [code] : [code, answer.message]
    case "Report":
      return [code, answer.isGood, answer.text]
    case "Identified": {
      const { identity } = answer
      return identity === undefined ? [code] : [code, identity.keyId, identity.accountId, identity.secret]
    }
    case "StoredCall":
      return answer.tokens === undefined ? [code] : [code, answer.tokens]
    case "StoredItems":
      return answer.missing === undefined ? [code, answer.tokens] : [code, answer.tokens, answer.missing]
    default:
      return [code]
  }
}

const readAnswer = (fields: Fields): Answer => {
  const [code, a, b, c] = fields as [number, never, never, never]
  switch (code) {
    case answerCodes.Admitted: {
      // A key on which anything is set has no allowances.
      if (fields.length === 3) return { _tag: "Admitted", granted: BigInt(a), rules: readRules(b) }
      const allowance = fields.length > 2 ? { index: b, generation: c } : undefined
      return { _tag: "Admitted", granted: BigInt(a), allowance }
    }
    case answerCodes.Limited:
      return { _tag: "Limited", retryAfterMs: a }
    case answerCodes.OverBudget:
      return { _tag: "OverBudget", of: a, resetsAtMs: b ?? undefined }
    case answerCodes.Maintenance:
      return fields.length === 1 ? { _tag: "Maintenance" } : { _tag: "Maintenance", message: a }
    case answerCodes.Report:
      return { _tag: "Report", isGood: a, text: b }
    case answerCodes.Identified:
      return {
        _tag: "Identified",
        identity: fields.length === 1 ? undefined : { keyId: a, accountId: b, secret: c }
      }
    case answerCodes.StoredCall:
      return { _tag: "StoredCall", tokens: fields.length === 1 ? undefined : a }
    case answerCodes.StoredItems:
      return { _tag: "StoredItems", tokens: a, missing: fields.length > 2 ? b : undefined }
    default:
      return plainAnswers.get(code)!
  }
}

const writeRules = ({ allowedIps, endpoints, models }: KeyRules): Fields => [models, endpoints, allowedIps]

const readRules = ([models, endpoints, allowedIps]: readonly [never, never, never]): KeyRules => ({
  models: models ?? undefined,
  endpoints: endpoints ?? undefined,
  allowedIps: allowedIps ?? undefined
})
