/** The events of a stream that comes in these pieces. */
import { type SseEvent, SseReader } from "../../src/formats/stream/sse.ts"

/** A reader, and what it has given so far. */
export const makeFrameReader = () => {
  const frames: Array<SseEvent> = []
  const reader = new SseReader({
    frame: ({ data, event }) => void frames.push({ event, data }),
    skip: (_chunk, start) => start
  })
  return { frames, reader }
}

export const framesOf = (...pieces: ReadonlyArray<string | Buffer>) => {
  const { frames, reader } = makeFrameReader()
  for (const piece of pieces) reader.push(Buffer.from(piece))
  reader.end()
  return frames
}
