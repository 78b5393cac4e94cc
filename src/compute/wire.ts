/** What a codec worker is asked and how it answers: plain data, so that it crosses threads. */
import type { Model } from "../domain/catalogue.ts"
import type { JsonObject } from "../formats/json.ts"
import { isJsonObject } from "../formats/json.ts"
import type { StreamFailure } from "../formats/stream-codec.ts"
import { countInputTokens } from "../tokens/count-input-tokens.ts"
import type { ImagesNeeded } from "./convert-request.ts"
import { type Prepared, prepareCall, type PrepareTask, Unprepared } from "./prepare-call.ts"
import { type AnswerRead, AnswerUnreadable, readAnswer, type ReadAnswerTask } from "./read-answer.ts"

export interface CountTask {
  readonly body: Uint8Array
  readonly model: Model
}

export type CodecTask =
  | { readonly _tag: "Prepare"; readonly task: PrepareTask }
  | { readonly _tag: "ReadAnswer"; readonly task: ReadAnswerTask }
  | { readonly _tag: "CountTokens"; readonly task: CountTask }

export type CodecAnswer =
  | { readonly _tag: "Done"; readonly value: Prepared | ImagesNeeded | AnswerRead | number }
  | {
      readonly _tag: "Unprepared"
      readonly message: string
      readonly field: string | undefined
      readonly details: JsonObject | undefined
    }
  | { readonly _tag: "Unreadable"; readonly failure: StreamFailure }

/** Does a task where it is called; what is expected to fail is an answer, a bug is thrown. */
export const runCodecTask = (codecTask: CodecTask): CodecAnswer => {
  try {
    return { _tag: "Done", value: valueOf(codecTask) }
  } catch (error) {
    if (error instanceof Unprepared) {
      return { _tag: "Unprepared", message: error.message, field: error.field, details: error.details }
    }
    if (error instanceof AnswerUnreadable) return { _tag: "Unreadable", failure: error.failure }
    throw error
  }
}

const valueOf = (codecTask: CodecTask) => {
  switch (codecTask._tag) {
    case "Prepare":
      return prepareCall(codecTask.task)
    case "ReadAnswer":
      return readAnswer(codecTask.task)
    case "CountTokens":
      return countTokens(codecTask.task)
  }
}

const countTokens = ({ body, model }: CountTask): number => {
  const parsed: unknown = JSON.parse(
    Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8")
  )
  return isJsonObject(parsed) ? countInputTokens("messages", parsed, model) : 0
}
