/** What the scripted provider sends: the case's own answer, or a right one in the protocol it was asked in. */
import { encodeEventStreamMessage } from "../../../src/formats/bedrock/event-stream.ts"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { dataFrame, namedFrame } from "../../../src/formats/stream/sse.ts"
import { Random } from "../../Random.ts"
import type { ScriptedAnswer } from "./case.ts"
import { isStreamed, protocolOf, toolsOf } from "./protocols.ts"
import { rightAnswer } from "./right-answer.ts"
import type { Answering, Asked } from "./ScriptedUpstream.ts"

export const writeAnswer = (asked: Asked, scripted: ScriptedAnswer | undefined): Answering => {
  const answer = told(asked, scripted ?? {})
  if (answer.body !== undefined)
    return {
      status: answer.status ?? 200,
      headers: { "content-type": "application/json", ...answer.headers },
      pieces: [Buffer.from(JSON.stringify(answer.body))]
    }
  const frames = framesOf(answer)
  const isBinary = answer.converse !== undefined || answer.invoke !== undefined
  const type = isBinary ? "application/vnd.amazon.eventstream" : "text/event-stream"
  return {
    status: answer.status ?? 200,
    headers: { "content-type": type, ...answer.headers },
    pieces: cut(frames, answer.chunking ?? "event")
  }
}

const told = (asked: Asked, scripted: ScriptedAnswer): ScriptedAnswer => {
  const isTold = ["body", "messages", "responses", "chunks", "converse", "invoke"].some(
    (name) => scripted[name as keyof ScriptedAnswer] !== undefined
  )
  if (isTold) return scripted
  const protocol = protocolOf(asked)
  const tools = toolsOf(protocol, asked.body)
  const calls = (scripted.calls ?? []).map(([place, input], index) => ({
    id: `call_${index + 1}`,
    name: String(tools[place]?.name),
    input
  }))
  return { ...scripted, ...rightAnswer(protocol, isStreamed(asked), calls) }
}

const framesOf = (answer: ScriptedAnswer): ReadonlyArray<Buffer> => {
  if (answer.messages !== undefined) return answer.messages.map(named)
  if (answer.responses !== undefined)
    return answer.responses.map((event, index) => named({ ...event, sequence_number: index }))
  if (answer.converse !== undefined) return answer.converse.map(([type, payload]) => frame(type, payload))
  if (answer.invoke !== undefined)
    return answer.invoke.map((event) =>
      frame("chunk", { bytes: Buffer.from(JSON.stringify(event)).toString("base64") })
    )
  const chunks = (answer.chunks ?? []).map((chunk) => Buffer.from(dataFrame(JSON.stringify(chunk))))
  return answer.done === false ? chunks : [...chunks, Buffer.from(dataFrame("[DONE]"))]
}

const named = (event: JsonObject): Buffer =>
  Buffer.from(namedFrame(String(event.type), JSON.stringify(event)))

const frame = (type: string, payload: JsonObject): Buffer =>
  encodeEventStreamMessage({
    headers: {
      ":event-type": { type: "string", value: type },
      ":content-type": { type: "string", value: "application/json" },
      ":message-type": { type: "string", value: "event" }
    },
    body: Buffer.from(JSON.stringify(payload))
  })

const cut = (frames: ReadonlyArray<Buffer>, chunking: string): ReadonlyArray<Buffer> => {
  if (chunking === "event") return frames
  const bytes = Buffer.concat(frames)
  if (chunking === "whole") return [bytes]
  const random = new Random(bytes.length)
  const pieces: Array<Buffer> = []
  for (let at = 0; at < bytes.length;) {
    const size = chunking === "byte" ? 1 : 1 + random.below(40)
    pieces.push(bytes.subarray(at, at + size))
    at += size
  }
  return pieces
}
