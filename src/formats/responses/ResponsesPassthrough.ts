/** A Responses stream, passed on as it is. */
import type { Particulars } from "../../domain/particulars.ts"
import { codeTold, errorIn, mapStreamError } from "../errors/upstream-errors.ts"
import { isJsonObject, type JsonObject, objectOf, parseObject } from "../json/json.ts"
import { isNonsense } from "../meter/nonsense-usage.ts"
import { responsesEventType } from "./event-type.ts"
import { failureOfEnd, storedResponse } from "./read-response.ts"
import { responsesUsage } from "./usage.ts"
import { dataOf } from "../stream/event-bounds.ts"
import { isDone, namedFrame } from "../stream/sse.ts"
import type { CodedFailure } from "../stream/stream-codec.ts"
import { ResponsesParticulars } from "./ResponsesParticulars.ts"
import { headBytesMax, toldAgain, withoutRequest } from "./told-again.ts"
import { PassthroughCodec, type Verdict } from "../stream/PassthroughCodec.ts"
import { numberedPieces } from "./piece-form.ts"
import type { PiecePlace } from "../stream/pieces.ts"

export class ResponsesPassthrough extends PassthroughCodec {
  usageIsFinal = false
  /** The response as `response.created` told it, or as the provider told that it failed. */
  #response: (() => JsonObject) | undefined
  #isToldFailed = false
  /** By which the provider told that. */
  #code: string | undefined
  readonly #particulars = new ResponsesParticulars()
  /** The last number given to an event, -1 before the first. */
  #sequenceNumber = -1

  constructor() {
    super(numberedPieces)
  }

  /** Understood from `response.created` on, under the number of what came last. */
  get keepAlive(): string | undefined {
    return this.#response !== undefined
      ? namedFrame("keepalive", `{"type":"keepalive","sequence_number":${this.#sequenceNumber}}`)
      : undefined
  }

  get nextSequenceNumber(): number {
    return this.#sequenceNumber + 1
  }

  override get particulars(): Particulars {
    return this.#particulars.particulars
  }

  protected override readBytes(data: Buffer): Verdict | undefined {
    const told = toldAgain(data.toString("latin1", 0, headBytesMax))
    if (told === undefined || data.at(-1) !== closeBrace) return undefined
    const response = data.subarray(told.responseStart, -1)
    if (told.isEnd) {
      const answer = data.length > this.readBytesMax ? undefined : withoutRequest(response)
      return answer && this.#read({ type: told.type, response: answer })
    }
    if (response.at(-1) !== closeBrace) return undefined
    this.#sequenceNumber = told.sequenceNumber
    if (told.type === "response.created") {
      // Is told whole where the stream fails. A copy, since the rest of the network's bytes is not needed.
      const begun = data.length > this.readBytesMax ? dataOf(data, this.readBytesMax) : Buffer.from(data)
      this.#response = () => objectOf(parseObject(begun.toString())?.response)
    }
    return "pass"
  }

  protected override tellsNews(json: string): boolean {
    return newText.test(json)
  }

  protected read(data: string): Verdict {
    if (isDone(data)) return "pass"
    const event = this.parse(data)
    return event === undefined ? "strip" : this.#read(event)
  }

  #read(event: JsonObject): Verdict {
    const type = responsesEventType(event)
    // What the gateway tells instead of an error, or of an end that is not paid for, comes under the same number.
    const isPassed = !endings.has(type)
    if (isPassed && typeof event.sequence_number === "number") this.#sequenceNumber = event.sequence_number
    this.#particulars.event(event)
    switch (type) {
      case "response.created":
        this.#response = () => objectOf(event.response)
        return "pass"
      case "response.completed":
      case "response.incomplete":
        return this.#finish(event.response)
      case "response.failed":
        return this.#failResponse(objectOf(event.response))
      case "error":
        return this.#fail(errorIn(event) ?? event)
      default:
        this.#meter(type, event)
        return "pass"
    }
  }

  protected override passedPieces(_place: PiecePlace, number: number | undefined): void {
    this.#sequenceNumber = number ?? this.#sequenceNumber
  }

  protected endsWell(): boolean {
    return false
  }

  #finish(response: unknown): Verdict {
    if (isJsonObject(response)) {
      if (failureOfEnd(response) !== undefined) return this.#failResponse(response)
      this.usage = responsesUsage(response)
      this.usageIsFinal = this.usage !== undefined
      this.usageIsNonsense = isNonsense(response.usage)
      this.stored = storedResponse(response)
    }
    return "finish"
  }

  /**
   * A response that has begun ends as failed, where Codex reads why, and that the wallet ran dry. Of any other break than
   * that, and than what the provider itself says of its response, OpenAI tells an `error` event first: its SDKs throw
   * that, and pass a failed response on.
   */
  failed(
    { code, message }: CodedFailure,
    lostEvents: number,
    errorAt: (sequenceNumber: number) => string
  ): string | undefined {
    if (this.#response === undefined) return undefined
    const next = Math.max(0, this.nextSequenceNumber - lostEvents)
    const isToldByResponse = this.#isToldFailed || code === "insufficient_quota"
    const error = { code: this.#code ?? code, message }
    const event = {
      type: "response.failed",
      sequence_number: isToldByResponse ? next : next + 1,
      response: { ...this.#response(), status: "failed", error, usage: null }
    }
    return (isToldByResponse ? "" : errorAt(next)) + namedFrame(event.type, JSON.stringify(event))
  }

  #failResponse(response: JsonObject): Verdict {
    const begun = this.#response
    // Before it has begun, a failure is an answer of its own.
    if (begun !== undefined) {
      this.#isToldFailed = true
      this.#response = () => ({ ...begun(), ...response })
    }
    this.#code = codeTold(response.error)
    return this.#fail(response.error)
  }

  #fail(error: unknown): Verdict {
    return this.failAs(mapStreamError(error))
  }

  #meter(type: string, event: JsonObject): void {
    if (type.endsWith(".delta") && typeof event.delta === "string") {
      if (event.delta === "") return
      this.contentSeen = true
      this.meter.addText(event.delta)
    } else if (type === "response.output_item.added" && isJsonObject(event.item)) {
      const { name, type: kind } = event.item
      if (kind === "message" || kind === "reasoning") return
      this.contentSeen = true
      this.meter.addToolCall(typeof name === "string" ? name : String(kind))
    } else if (type === "response.output_item.done" && isJsonObject(event.item)) {
      const encrypted = event.item.encrypted_content
      if (typeof encrypted === "string") this.meter.opaqueCharacters += encrypted.length
    }
  }
}

const closeBrace = 125

/** Of sound there is nothing to be weighed. */
const newText = /"type": ?"response\.(?!audio\.)[\w.]{1,60}\.delta"/

const endings: ReadonlySet<string> = new Set([
  "response.completed",
  "response.incomplete",
  "response.failed",
  "error"
])
