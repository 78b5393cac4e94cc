/** A Messages stream for a Messages client: passed on as it is. */
import type { Particulars } from "../../domain/particulars.ts"
import { errorIn, mapStreamError } from "../errors/upstream-errors.ts"
import { isJsonObject, type JsonObject } from "../json/json.ts"
import { BlockMeter } from "./BlockMeter.ts"
import { messagesEventType } from "./event-type.ts"
import type { OutputMeter } from "../meter/output-meter.ts"
import { MessagesParticulars } from "./MessagesParticulars.ts"
import { MessagesTally } from "./MessagesTally.ts"
import { PassthroughCodec, type Verdict } from "../stream/PassthroughCodec.ts"
import type { PiecePlace } from "../stream/pieces.ts"
import { messagesPieces } from "./piece-form.ts"

export class MessagesPassthrough extends PassthroughCodec {
  readonly #blocks = new BlockMeter()
  readonly #particulars = new MessagesParticulars()
  readonly #tally = new MessagesTally(this.#blocks.output)

  constructor() {
    super(messagesPieces)
  }

  get usageIsFinal(): boolean {
    return this.#tally.isFinal
  }

  override get particulars(): Particulars {
    return this.#particulars.particulars
  }

  override get meter(): OutputMeter {
    return this.#blocks.output
  }

  protected override tellsNews(json: string): boolean {
    return json.includes('"content_block_')
  }

  protected read(data: string): Verdict {
    const event = this.parse(data)
    if (event === undefined) return "strip"
    switch (messagesEventType(event)) {
      case "content_block_delta":
        if (this.#blocks.add(event.delta)) this.contentSeen = true
        return "pass"
      case "content_block_start":
        this.#particulars.event(event)
        if (this.#blocks.start(event.content_block)) this.contentSeen = true
        return "pass"
      case "message_start":
        this.#particulars.event(event)
        if (isJsonObject(event.message)) this.#start(event.message)
        return "pass"
      case "message_delta":
        this.#particulars.event(event)
        this.#tally.goOn(event.usage)
        this.#noteUsage()
        return "pass"
      case "message_stop":
        return "finish"
      case "error":
        return this.failAs(mapStreamError(errorIn(event)))
      default:
        return "pass"
    }
  }

  protected override passedPieces({ kind }: PiecePlace): void {
    this.#blocks.sawPiece(kind)
  }

  protected endsWell(): boolean {
    return false
  }

  #start({ id, usage }: JsonObject): void {
    if (typeof id === "string") this.stored = { id, itemIds: [] }
    this.#tally.begin(usage)
    this.#noteUsage()
  }

  #noteUsage(): void {
    this.usage = this.#tally.usage
    this.usageIsNonsense = this.#tally.isNonsense
  }
}
