/** Piscina entry: parses, converts and counts bodies that are too large for an event loop. */
import { move, transferableSymbol, valueSymbol } from "piscina"
import { type CodecAnswer, type CodecTask, runCodecTask } from "../src/compute/wire.ts"

export default (task: CodecTask): CodecAnswer => {
  const answer = runCodecTask(task)
  if (answer._tag !== "Done" || typeof answer.value === "number" || !("bytes" in answer.value)) return answer
  // What is moved away must belong to the answer alone: a copy where the memory is shared with others.
  const { bytes } = answer.value
  const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes)
  const moved: CodecAnswer = { _tag: "Done", value: { ...answer.value, bytes: own } }
  return move({ [transferableSymbol]: own.buffer, [valueSymbol]: moved }) as unknown as CodecAnswer
}
