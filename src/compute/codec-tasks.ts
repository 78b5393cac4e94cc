/**
 * What codec workers are asked and how they answer, as plain data that crosses threads; and how each task is done, there or in
 * place.
 */
import type { Model } from "../domain/catalogue.ts"
import type { JsonObject } from "../formats/json/json.ts"
import type { Bounds } from "../formats/json/scan.ts"
import type { PreparedPlain } from "../formats/plain-pairs.ts"
import type { StreamFailure } from "../formats/errors/stream-failure.ts"
import { countInputTokens } from "../tokens/count-input-tokens.ts"
import { answerBounds, answerInPlaceBounds, bodyBounds, inPlaceBounds } from "./bounds.ts"
import { type Prepared, prepareCall, type PrepareTask } from "./prepare-call.ts"
import { type PlainTask, preparePlain } from "./prepare-plain.ts"
import { type AnswerRead, AnswerUnreadable, readAnswer, type ReadAnswerTask } from "./read-answer.ts"
import { readBody, readModelName, TooMuchHere, Unprepared } from "./read-body.ts"
import { bufferOf } from "./share-bytes.ts"

export interface CountTask {
  readonly body: Uint8Array
  readonly model: Model
}

export type CodecTask =
  | { readonly _tag: "ReadModel"; readonly task: { readonly body: Uint8Array } }
  | { readonly _tag: "PreparePlain"; readonly task: PlainTask }
  | { readonly _tag: "Prepare"; readonly task: PrepareTask }
  | { readonly _tag: "ReadAnswer"; readonly task: ReadAnswerTask }
  | { readonly _tag: "CountTokens"; readonly task: CountTask }

export type CodecValue = Prepared | PreparedPlain | AnswerRead | number | string

export type CodecAnswer =
  | { readonly _tag: "Done"; readonly value: CodecValue }
  | {
      readonly _tag: "Unprepared"
      readonly message: string
      readonly field: string | undefined
      readonly details: JsonObject | undefined
    }
  | { readonly _tag: "Unreadable"; readonly failure: StreamFailure }
  | { readonly _tag: "Bug"; readonly stack: string }

/** All that a task brings along. */
export const bytesOf = (codecTask: CodecTask): number => {
  switch (codecTask._tag) {
    case "ReadAnswer":
      return codecTask.task.bytes.length
    case "Prepare":
      return codecTask.task.body.length + fileBytes(codecTask.task)
    case "PreparePlain":
      return codecTask.task.body.length + (codecTask.task.image?.bytes.length ?? 0)
    default:
      return codecTask.task.body.length
  }
}

const fileBytes = ({ files }: PrepareTask): number => {
  let size = 0
  for (const { bytes } of files?.values() ?? []) size += bytes.length
  return size
}

/** Does a task where it is called; what is expected to fail is an answer, a bug is thrown. */
export const runCodecTask = (codecTask: CodecTask): CodecAnswer =>
  answerOf(codecTask, { body: bodyBounds, answer: answerBounds })

/** The same on an event loop; `undefined` where it would be held up. */
export const runCodecTaskInPlace = (codecTask: CodecTask): CodecAnswer | undefined => {
  try {
    return answerOf(codecTask, { body: inPlaceBounds, answer: answerInPlaceBounds })
  } catch (error) {
    if (error instanceof TooMuchHere) return undefined
    throw error
  }
}

interface TaskBounds {
  readonly body: Bounds
  readonly answer: Bounds
}

const answerOf = (codecTask: CodecTask, bounds: TaskBounds): CodecAnswer => {
  try {
    return { _tag: "Done", value: valueOf(codecTask, bounds) }
  } catch (error) {
    if (error instanceof Unprepared) {
      return { _tag: "Unprepared", message: error.message, field: error.field, details: error.details }
    }
    if (error instanceof AnswerUnreadable) return { _tag: "Unreadable", failure: error.failure }
    throw error
  }
}

const valueOf = (codecTask: CodecTask, { answer, body }: TaskBounds): CodecValue => {
  switch (codecTask._tag) {
    case "ReadModel":
      return readModelName(codecTask.task.body, body)
    case "PreparePlain":
      return preparePlain(codecTask.task, body)
    case "Prepare":
      return prepareCall(codecTask.task, body)
    case "ReadAnswer":
      return readAnswer(codecTask.task, answer)
    case "CountTokens":
      return countTokens(codecTask.task, body)
  }
}

const countTokens = ({ body, model }: CountTask, bounds: Bounds): number =>
  countInputTokens(readBody(bufferOf(body), bounds).parsed, model)
