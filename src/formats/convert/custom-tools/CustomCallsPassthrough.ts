/** A chat provider's stream that is passed on but for its calls of functions that stand for custom tools. */
import { type ChatAsked, ChatPassthrough } from "../../chat/ChatPassthrough.ts"
import { chatPieces } from "../../chat/piece-form.ts"
import { nestedTooDeeply } from "../../json/nesting.ts"
import { isJsonObject } from "../../json/json.ts"
import { parseExactJson } from "../../json/parse-exact-json.ts"
import type { Verdict } from "../../stream/PassthroughCodec.ts"
import type { PieceForm } from "../../stream/PieceScanner.ts"
import { dataFrame } from "../../stream/sse.ts"
import type { ToolNames } from "../tool-names.ts"
import { CustomCalls } from "./CustomCalls.ts"

export class CustomCallsPassthrough extends ChatPassthrough {
  /** A call may come whole in one event, of which every value is read. */
  protected override readonly readBytesMax = 1024 * 1024
  readonly #calls: CustomCalls

  constructor(context: ChatAsked & { readonly toolNames: ToolNames }) {
    super(context, piecesOutsideCalls)
    this.#calls = new CustomCalls(context.toolNames)
  }

  protected override read(data: string, isOutline: boolean): Verdict {
    const verdict = super.read(data, isOutline)
    if (verdict !== "pass") return verdict
    const chunk = parseExactJson(data)
    if (isOutline || !isJsonObject(chunk) || nestedTooDeeply(chunk))
      return this.fail("The model provider sent an event that can not be read.")
    const told = this.#calls.chunk(chunk)
    return told === chunk ? verdict : Buffer.from(dataFrame(JSON.stringify(told)))
  }
}

/** Each piece of a call is read. */
const piecesOutsideCalls: PieceForm = {
  ...chatPieces,
  read: (groups, behind) => {
    const read = chatPieces.read(groups, behind)
    return read?.place.kind === "input" ? undefined : read
  }
}
