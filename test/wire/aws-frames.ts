/** Messages of AWS's binary event stream, written after its public documents. */
import { encodeEventStreamMessage } from "../../src/formats/bedrock/event-stream.ts"

/** `json` is the payload as text. */
export const awsFrame = (kind: "event" | "exception", type: string, json: string): Buffer =>
  encodeEventStreamMessage({
    headers: {
      [`:${kind}-type`]: { type: "string", value: type },
      ":content-type": { type: "string", value: "application/json" },
      ":message-type": { type: "string", value: kind }
    },
    body: Buffer.from(json)
  })

/** An event of Converse, padded as Bedrock pads. */
export const converseFrame = (type: string, payload: object): Buffer =>
  awsFrame("event", type, JSON.stringify({ ...payload, p: "abc" }))

/** An event of Claude's own stream, which InvokeModelWithResponseStream wraps. */
export const invokeFrame = (json: string): Buffer =>
  awsFrame("event", "chunk", JSON.stringify({ bytes: Buffer.from(json).toString("base64"), p: "abcd" }))
