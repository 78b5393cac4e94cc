/** AWS's binary event stream as Bedrock fills it. */
import { encodeEventStreamMessage } from "../../formats/bedrock/event-stream.ts"
import type { StreamWire } from "../http/Answer.ts"

const encode = (kind: "event" | "exception", type: string, json: string): Uint8Array =>
  encodeEventStreamMessage({
    headers: {
      [`:${kind}-type`]: { type: "string", value: type },
      ":content-type": { type: "string", value: "application/json" },
      ":message-type": { type: "string", value: kind }
    },
    body: Buffer.from(json)
  })

const padding = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

/** `p` hides the length of the content from eavesdroppers; clients ignore it. */
const padded = (json: string): string =>
  `${json.slice(0, -1)}${json === "{}" ? "" : ","}"p":"${padding.slice(0, 4 + (json.length % 58))}"}`

export const eventFrame = (type: string, json: string): Uint8Array => encode("event", type, padded(json))

/** InvokeModel wraps each of the model's own events. */
export const chunkFrame = (json: string): Uint8Array =>
  eventFrame("chunk", `{"bytes":"${Buffer.from(json).toString("base64")}"}`)

/** A frame with a wrong checksum: what a broken connection or proxy leaves behind. */
const rubbish = (): Uint8Array => {
  const frame = Buffer.from(eventFrame("chunk", '{"bytes":"e30="}'))
  frame[frame.byteLength - 1] = frame[frame.byteLength - 1]! ^ 0xff
  return frame
}

export const wire: StreamWire = {
  textual: false,
  failure: () => [
    encode(
      "exception",
      "throttlingException",
      '{"message":"Too many requests, please wait before trying again."}'
    )
  ],
  rubbish: rubbish(),
  ping: undefined
}

export const contentType: readonly [string, string] = ["content-type", "application/vnd.amazon.eventstream"]
