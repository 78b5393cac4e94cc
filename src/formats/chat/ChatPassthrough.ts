/** A chat stream for a chat client: passed on as it is, but for the usage chunk that the client had not asked for. */
import type { Particulars } from "../../domain/particulars.ts"
import { argumentsText, readChatContent } from "./content.ts"
import { billedUsage, isFinalUsage, replacesUsage, sentUsage } from "./usage.ts"
import { errorIn, mapStreamError } from "../errors/upstream-errors.ts"
import { isJsonObject, type Json, type JsonObject, listOf } from "../json/json.ts"
import { isNonsense } from "../meter/nonsense-usage.ts"
import type { OutputMeter } from "../meter/output-meter.ts"
import { brokenOff } from "../errors/stream-failure.ts"
import { isBrokenFinish } from "./broken-finish.ts"
import { isDone } from "../stream/sse.ts"
import { ChatParticulars } from "./ChatParticulars.ts"
import { PassthroughCodec, type Verdict } from "../stream/PassthroughCodec.ts"
import { chatPieces } from "./piece-form.ts"

/** What of a chat request its stream depends on. */
export interface ChatAsked {
  /** The client asked for the chunk with the usage. */
  readonly includeUsage: boolean
  /** How many answers it asked for. */
  readonly choices?: number
}

export class ChatPassthrough extends PassthroughCodec {
  readonly #keepUsage: boolean
  readonly #choices: number
  /** Of several choices, those that have said something. */
  readonly #begun = new Set<Json | undefined>()
  /** The choices that have come to their end. */
  readonly #ended = new Set<Json | undefined>()
  readonly #particulars = new ChatParticulars()
  #eventsCounted = 0

  constructor({ choices = 1, includeUsage }: ChatAsked, pieces = chatPieces) {
    // Pieces that nobody reads do not tell whose they are.
    super(choices === 1 ? pieces : undefined)
    this.#keepUsage = includeUsage
    this.#choices = choices
  }

  /** Another choice may be silent for long while it thinks. */
  get isWhole(): boolean {
    return this.finished || this.#ended.size >= this.#choices
  }

  get usageIsFinal(): boolean {
    return isFinalUsage(this.usage, this.meter.events === this.#eventsCounted, this.isWhole)
  }

  override get particulars(): Particulars {
    return this.#particulars.particulars
  }

  protected override tellsNews(): boolean {
    return true
  }

  protected read(data: string, _isOutline: boolean): Verdict {
    if (isDone(data)) {
      if (this.endsWell()) return "finish"
      return this.fail("The model provider ended the stream without a finish.")
    }
    const chunk = this.parse(data)
    if (chunk === undefined) return "strip"
    const error = errorIn(chunk)
    if (error !== undefined) return this.failAs(mapStreamError(error))
    this.#particulars.event(chunk)
    const said = sentUsage(chunk)
    const usage = billedUsage(said)
    if (usage === undefined) this.usageIsNonsense ||= isNonsense(said)
    const choices = listOf(chunk.choices)
    for (const choice of choices) this.#readChoice(choice)
    if (this.failure !== undefined) return "strip"
    if (usage !== undefined && replacesUsage(usage, this.usage)) {
      this.usage = usage
      this.usageIsNonsense = false
      this.#eventsCounted = this.meter.events
    }
    return said !== undefined && choices.length === 0 && !this.#keepUsage ? "strip" : "pass"
  }

  /**
   * Some providers close after the finish without `[DONE]`, and some give fewer choices than they are asked for; but a choice
   * that has begun comes to its end.
   */
  protected endsWell(): boolean {
    return this.#ended.size > 0 && [...this.#begun].every((index) => this.#ended.has(index))
  }

  #readChoice(choice: Json): void {
    if (!isJsonObject(choice)) return
    const { finish_reason: reason, index } = choice
    if (isBrokenFinish(reason)) this.failAs(brokenOff)
    else if (typeof reason === "string" && reason !== "") this.#ended.add(index)
    if (!isJsonObject(choice.delta) || !meterDelta(choice.delta, this.meter)) return
    this.contentSeen = true
    if (this.#choices > 1) this.#begun.add(index)
  }
}

/** Counts what a delta carries; answers whether that is content. */
const meterDelta = (delta: JsonObject, meter: OutputMeter): boolean => {
  let content = false
  const { refusal, text, thinking } = readChatContent(delta)
  for (const piece of [thinking, text, refusal]) {
    if (piece === "") continue
    meter.addText(piece)
    content = true
  }
  if (Array.isArray(delta.tool_calls)) {
    for (const call of delta.tool_calls as ReadonlyArray<Json>) {
      if (isJsonObject(call)) meterFunction(call.function ?? call.custom, meter)
      content = true
    }
  }
  if (isJsonObject(delta.function_call)) {
    meterFunction(delta.function_call, meter)
    content = true
  }
  return content || isJsonObject(delta.audio)
}

const meterFunction = (called: Json | undefined, meter: OutputMeter): void => {
  if (!isJsonObject(called)) return
  if (typeof called.name === "string") meter.addToolCall(called.name)
  const written = argumentsText(called.arguments ?? called.input)
  if (written !== "") meter.addText(written)
}
