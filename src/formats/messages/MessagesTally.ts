/** What a Messages stream tells of its usage as it goes: a later count takes the place of an earlier one. */
import type { Usage } from "../../domain/usage.ts"
import { isJsonObject, type Json } from "../json/json.ts"
import { isNonsense } from "../meter/nonsense-usage.ts"
import type { OutputMeter } from "../meter/output-meter.ts"
import { begunUsage, mergeCounts, type MessagesCounts, noCounts, tellsOutput } from "./usage.ts"

export class MessagesTally {
  counts: MessagesCounts = noCounts
  usage: Usage | undefined
  /** Among the numbers told last there is one that is no count. */
  isNonsense = false
  readonly #meter: OutputMeter
  #numbers: Readonly<Record<string, number>> = {}
  #eventsCounted: number | undefined

  constructor(meter: OutputMeter) {
    this.#meter = meter
  }

  /** The whole output has been told: `message_start` tells a beginning, and `message_delta` too where content follows it. */
  get isFinal(): boolean {
    return this.#eventsCounted === this.#meter.events
  }

  /** Of `message_start`. */
  begin(usage: Json | undefined): void {
    if (!isJsonObject(usage)) return
    this.counts = mergeCounts(this.counts, usage)
    this.usage = begunUsage(this.counts)
    const numbers = Object.entries(usage).filter(
      (told): told is [string, number] => typeof told[1] === "number"
    )
    this.#numbers = { ...this.#numbers, ...Object.fromEntries(numbers) }
    this.isNonsense = isNonsense(this.#numbers)
  }

  /** Of `message_delta`. */
  goOn(usage: Json | undefined): void {
    this.begin(usage)
    if (tellsOutput(usage)) this.#eventsCounted = this.#meter.events
  }
}
