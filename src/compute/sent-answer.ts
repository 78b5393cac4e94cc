/** How a task's answer gets back from a codec worker, without a copy of its bytes. */
import { move, transferableSymbol, valueSymbol } from "piscina"
import type { CodecAnswer, CodecTask, CodecValue } from "./codec-tasks.ts"

type WithBytes = Extract<CodecValue, { readonly bytes: Uint8Array }>

/** Done, and its bytes are these of the task's own. */
interface DoneWithGiven {
  readonly _tag: "DoneWithGiven"
  readonly value: Omit<WithBytes, "bytes">
  readonly from: number
  readonly to: number
}

export type SentAnswer = CodecAnswer | DoneWithGiven

const givenBytes = (codecTask: CodecTask): Uint8Array =>
  codecTask._tag === "ReadAnswer" ? codecTask.task.bytes : codecTask.task.body

/**
 * Shared memory is not sent back: where it arrives it would be kept a second time, until the next collection of the whole heap,
 * which it does not set off. 1,000 bodies of 1 MB kept 1 GB.
 */
export const sent = (task: CodecTask, answer: CodecAnswer): SentAnswer => {
  if (answer._tag !== "Done" || typeof answer.value !== "object" || !("bytes" in answer.value)) return answer
  const { bytes, ...value } = answer.value
  const given = givenBytes(task)
  if (bytes.buffer === given.buffer) {
    const from = bytes.byteOffset - given.byteOffset
    return { _tag: "DoneWithGiven", value, from, to: from + bytes.byteLength }
  }
  // What is moved away must belong to the answer alone: a copy where the memory is shared with others.
  const isOwn = bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
  const own = isOwn ? bytes : Uint8Array.from(bytes)
  const moved: CodecAnswer = { _tag: "Done", value: { ...answer.value, bytes: own } }
  return move({ [transferableSymbol]: own.buffer, [valueSymbol]: moved }) as unknown as CodecAnswer
}

export const received = (task: CodecTask, answer: SentAnswer): CodecAnswer => {
  if (answer._tag !== "DoneWithGiven") return answer
  const bytes = givenBytes(task).subarray(answer.from, answer.to)
  return { _tag: "Done", value: { ...answer.value, bytes } as WithBytes }
}
