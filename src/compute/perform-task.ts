/** What a codec worker does with a task. */
import { move, transferableSymbol, valueSymbol } from "piscina"
import { bugOf, type CodecAnswer, type CodecTask, runCodecTask } from "./wire.ts"

export const performTask = (task: CodecTask): CodecAnswer => {
  const answer = answerOf(task)
  if (answer._tag !== "Done" || typeof answer.value !== "object" || !("bytes" in answer.value)) return answer
  const { bytes } = answer.value
  // Shared memory goes back as it came.
  if (bytes.buffer instanceof SharedArrayBuffer) return answer
  // What is moved away must belong to the answer alone: a copy where the memory is shared with others.
  const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes)
  const moved: CodecAnswer = { _tag: "Done", value: { ...answer.value, bytes: own } }
  return move({ [transferableSymbol]: own.buffer, [valueSymbol]: moved }) as unknown as CodecAnswer
}

/** A bug is told apart from a worker's death: it would only happen again. */
const answerOf = (task: CodecTask): CodecAnswer => {
  try {
    return runCodecTask(task)
  } catch (error) {
    return bugOf(error)
  }
}
