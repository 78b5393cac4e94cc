/** Recorded answers, queued by a test and given verbatim to the next call whose path ends as asked. */
import { isJsonObject, type Json, objectOf } from "../../formats/json/json.ts"
import type { HeaderList } from "../../sockets/write-head.ts"
import type { Answer, Frame, StreamWire } from "./Answer.ts"

interface Replay {
  readonly path: string
  readonly status: number
  readonly headers: HeaderList
  readonly body: Buffer
  readonly chunkSizes: ReadonlyArray<number>
  timesLeft: number
}

/** The connection decides about these itself. */
const hopHeaders = new Set([
  "content-length",
  "transfer-encoding",
  "content-encoding",
  "connection",
  "keep-alive"
])

export class Replays {
  #queue: Array<Replay> = []

  /** A text says what is wrong with the order. */
  add(order: Json): string | undefined {
    if (!isJsonObject(order) || typeof order["path"] !== "string")
      return "path: the end of the paths to answer"
    if (typeof order["body"] !== "string") return "body: the answer in base64"
    const headers = objectOf(order["headers"])
    const chunkSizes = Array.isArray(order["chunkSizes"])
      ? (order["chunkSizes"] as ReadonlyArray<number>)
      : []
    if (!chunkSizes.every((size) => Number.isSafeInteger(size) && size > 0))
      return "chunkSizes: positive numbers"
    this.#queue.push({
      path: order["path"],
      status: typeof order["status"] === "number" ? order["status"] : 200,
      headers: Object.entries(headers)
        .filter(([name]) => !hopHeaders.has(name.toLowerCase()))
        .map(([name, value]) => [name, String(value)] as const),
      body: Buffer.from(order["body"], "base64"),
      chunkSizes,
      timesLeft: typeof order["times"] === "number" ? order["times"] : 1
    })
    return undefined
  }

  take(path: string): Answer | undefined {
    const index = this.#queue.findIndex((replay) => path.endsWith(replay.path))
    const replay = this.#queue[index]
    if (replay === undefined) return undefined
    if (--replay.timesLeft <= 0) this.#queue.splice(index, 1)
    const { status, headers, body } = replay
    return replay.chunkSizes.length === 0
      ? { kind: "plain", status, headers, body }
      : { kind: "stream", status, headers, frames: cut(replay), wire }
  }

  clear(): void {
    this.#queue = []
  }
}

const wire: StreamWire = { textual: false, failure: () => [], rubbish: "\u0000", ping: undefined }

/** The sizes are taken in turn, again from the first after the last. */
function* cut({ body, chunkSizes }: Replay): Generator<Frame> {
  let start = 0
  for (let index = 0; start < body.byteLength; index++) {
    const end = start + chunkSizes[index % chunkSizes.length]!
    yield body.subarray(start, end)
    start = end
  }
}
