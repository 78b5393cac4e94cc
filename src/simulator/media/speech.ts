/** Speech: audio bytes of the asked format, always the same for the same text. */
import { stringOf } from "../../formats/json/json.ts"
import { openai } from "../openai/openai.ts"
import { eventStream, type Frame, type StreamWire } from "../http/Answer.ts"
import { isMissing } from "../models.ts"
import { ownEntry } from "../own-entry.ts"
import type { Protocol } from "../Protocol.ts"
import { invalidValue, missing, missingModel, tooLong } from "../openai/complaints.ts"
import { successHeaders } from "../openai/headers.ts"

const contentTypes: Readonly<Record<string, string>> = {
  mp3: "audio/mpeg",
  opus: "audio/opus",
  aac: "audio/aac",
  flac: "audio/flac",
  wav: "audio/wav",
  pcm: "audio/pcm"
}
const charactersMax = 4096
const chunkBytes = 4096
const bytesPerCharacter = 200

export const speech: Protocol = {
  ...openai,
  prompt: (body) => stringOf(body["input"]),
  answer: ({ body, model, settings }) => {
    if (isMissing(model)) return missingModel(model)
    for (const name of ["model", "input", "voice"])
      if (body[name] == null || body[name] === "") return missing(name)
    const input = String(body["input"])
    if (input.length > charactersMax) return tooLong("input", charactersMax, input.length)
    const format = body["response_format"] ?? "mp3"
    const contentType = ownEntry(contentTypes, String(format))
    if (contentType === undefined) return invalidValue("response_format", format, Object.keys(contentTypes))
    const bytes = settings.big ?? Math.max(chunkBytes, input.length * bytesPerCharacter)
    const events = body["stream_format"] === "sse"
    return {
      kind: "stream",
      status: 200,
      headers: [events ? eventStream : ["content-type", contentType], ...successHeaders()],
      frames: events ? speechEvents(bytes, input.length) : audio(bytes),
      wire
    }
  }
}

/** Sound has no place for an error: it breaks off. */
const wire: StreamWire = { textual: false, failure: () => [], rubbish: "", ping: undefined }

const chunk = Buffer.from(
  Uint8Array.from({ length: chunkBytes }, (_, index) => (index * 31 + (index >> 8)) & 0xff)
)

function* audio(bytes: number): Generator<Buffer> {
  for (let sent = 0; sent < bytes; sent += chunkBytes)
    yield chunk.subarray(0, Math.min(chunkBytes, bytes - sent))
}

function* speechEvents(bytes: number, characters: number): Generator<Frame> {
  for (const part of audio(bytes))
    yield `data: ${JSON.stringify({ type: "speech.audio.delta", audio: part.toString("base64") })}\n\n`
  const usage = { input_tokens: characters, output_tokens: characters, total_tokens: characters * 2 }
  yield `data: ${JSON.stringify({ type: "speech.audio.done", usage })}\n\n`
}
