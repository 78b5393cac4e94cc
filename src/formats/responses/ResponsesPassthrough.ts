/** A Responses stream, passed on as it is. */
import { mapStreamError } from "../errors/upstream-errors.ts"
import { isJsonObject, type JsonObject } from "../json/json.ts"
import { isNonsense } from "../meter/nonsense-usage.ts"
import { responsesUsage, storedResponseId } from "./read-response.ts"
import { isDone, namedFrame } from "../stream/sse.ts"
import { PassthroughCodec, type Verdict } from "../stream/PassthroughCodec.ts"

export class ResponsesPassthrough extends PassthroughCodec {
  usageIsFinal = false
  #createdSeen = false
  /** The last number given to an event, -1 before the first. */
  #sequenceNumber = -1

  /** Understood from `response.created` on, under the number of what came last. */
  get keepAlive(): string | undefined {
    return this.#createdSeen
      ? namedFrame("keepalive", `{"type":"keepalive","sequence_number":${this.#sequenceNumber}}`)
      : undefined
  }

  get nextSequenceNumber(): number {
    return this.#sequenceNumber + 1
  }

  protected read(data: string): Verdict {
    if (isDone(data)) return "pass"
    const event = this.parse(data)
    if (event === undefined) return "strip"
    const type = typeof event["type"] === "string" ? event["type"] : ""
    // What the gateway tells instead of an error, or of an end that is not paid for, comes under the same number.
    const isPassed = !endings.has(type)
    if (isPassed && typeof event["sequence_number"] === "number")
      this.#sequenceNumber = event["sequence_number"]
    switch (type) {
      case "response.created":
        this.#createdSeen = true
        return "pass"
      case "response.completed":
      case "response.incomplete":
        return this.#finish(event["response"])
      case "response.failed":
        return this.#fail(isJsonObject(event["response"]) ? event["response"]["error"] : undefined)
      case "error":
        return this.#fail(event["error"] ?? event)
      default:
        this.#meter(type, event)
        return "pass"
    }
  }

  protected endsWell(): boolean {
    return false
  }

  #finish(response: unknown): Verdict {
    if (isJsonObject(response)) {
      this.usage = responsesUsage(response)
      this.usageIsFinal = this.usage !== undefined
      this.usageIsNonsense = isNonsense(response["usage"])
      this.storedId = storedResponseId(response)
    }
    return "finish"
  }

  #fail(error: unknown): Verdict {
    return this.failAs(mapStreamError(error))
  }

  #meter(type: string, event: JsonObject): void {
    if (type.endsWith(".delta") && typeof event["delta"] === "string") {
      if (event["delta"] !== "") this.contentSeen = true
      this.meter.addText(event["delta"])
    } else if (type === "response.output_item.added" && isJsonObject(event["item"])) {
      const { name, type: kind } = event["item"]
      if (kind === "message" || kind === "reasoning") return
      this.contentSeen = true
      this.meter.addToolCall(typeof name === "string" ? name : String(kind))
    } else if (type === "response.output_item.done" && isJsonObject(event["item"])) {
      const encrypted = event["item"]["encrypted_content"]
      if (typeof encrypted === "string") this.meter.opaqueCharacters += encrypted.length
    }
  }
}

const endings: ReadonlySet<string> = new Set([
  "response.completed",
  "response.incomplete",
  "response.failed",
  "error"
])
