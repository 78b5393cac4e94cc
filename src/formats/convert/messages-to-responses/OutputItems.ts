/**
 * The items of a streamed response, one after the other: each is added, built up by its pieces and done before the next
 * begins, since clients follow one alone. All texts come and go as they stand within JSON strings.
 */
import type { ToolOrigin } from "../tool-origin.ts"
import { GrowingText } from "../../stream/GrowingText.ts"
import { namedFrame } from "../../stream/sse.ts"
import { escaped } from "../../stream/pieces.ts"
import { CustomInputReader } from "../CustomInputReader.ts"

type ItemStatus = "completed" | "incomplete"

interface Item {
  readonly kind: "message" | "reasoning" | "function_call" | "custom_tool_call"
  readonly id: string
  /** Members that stay what they are from the beginning, JSON text behind a comma. */
  readonly fixed: string
  /** Finished parts, JSON texts. */
  readonly parts: Array<string>
  part: "output_text" | "refusal" | "summary_text" | undefined
  /** What has come of the part, or of what the tool is called with. */
  text: GrowingText
  /** What the part cites, JSON texts. */
  annotations: Array<string>
  readonly input: CustomInputReader | undefined
  /** What stands around the number of an event and the piece in it; the same for all pieces of a part. */
  frame: readonly [start: string, middle: string, end: string] | undefined
}

const idStart = { message: "msg", reasoning: "rs", function_call: "fc", custom_tool_call: "ctc" } as const

/** What a tool is called with: the events that tell it, and the member that holds it. */
const calledBy = {
  function_call: { event: "function_call_arguments", member: "arguments" },
  custom_tool_call: { event: "custom_tool_call_input", member: "input" }
} as const

export class OutputItems {
  /** Items that are done, JSON texts. */
  readonly done: Array<string> = []
  /** The number of the next event. */
  sequence = 0
  refused = false
  /** Characters of all pieces so far. */
  length = 0
  readonly #suffix: string
  #item: Item | undefined

  constructor(suffix: string) {
    this.#suffix = suffix
  }

  /** An event whose body is JSON members. */
  frame(type: string, body: string): string {
    return namedFrame(type, `{"type":"${type}","sequence_number":${this.sequence++},${body}}`)
  }

  text(piece: string): string {
    return this.#say("output_text", piece)
  }

  refusal(piece: string): string {
    this.refused = true
    return this.#say("refusal", piece)
  }

  /** What the open text cites, as JSON text. */
  cite(annotation: string): string {
    const item = this.#item
    if (item?.part !== "output_text") return ""
    this.length += annotation.length
    const place = item.annotations.push(annotation) - 1
    return this.frame(
      "response.output_text.annotation.added",
      `${this.#at(item)},"annotation_index":${place},"annotation":${annotation}`
    )
  }

  think(piece: string): string {
    if (piece === "") return ""
    const opened = this.#item?.kind === "reasoning" ? "" : this.#begin("reasoning", "")
    return opened + this.#piece("summary_text", piece)
  }

  /** The thought that is open, or one without words, ends with what it comes back under. */
  endThought(encrypted: string): string {
    const opened = this.#item?.kind === "reasoning" ? "" : this.#begin("reasoning", "")
    return opened + this.close("completed", `,"encrypted_content":"${escaped(encrypted)}"`)
  }

  beginCall(origin: ToolOrigin, callId: string): string {
    const kind = origin.isCustom ? "custom_tool_call" : "function_call"
    const { name, namespace } = origin
    const group = namespace === undefined ? "" : `,"namespace":"${escaped(namespace)}"`
    return this.#begin(kind, `,"call_id":"${escaped(callId)}","name":"${escaped(name)}"${group}`)
  }

  /** The JSON that the tool of the open call is called with, or a piece of it. */
  callPiece(json: string): string {
    const item = this.#item
    if (item?.input !== undefined) return this.#called(calledBy.custom_tool_call.event, item.input.push(json))
    return item?.kind === "function_call" ? this.argumentsPiece(escaped(json)) : ""
  }

  get inFunctionCall(): boolean {
    return this.#item?.kind === "function_call"
  }

  /** A piece of what the open function call is called with. */
  argumentsPiece(piece: string): string {
    return this.#called(calledBy.function_call.event, piece)
  }

  /** Nothing more comes of it. */
  close(status: ItemStatus, more = ""): string {
    const item = this.#item
    if (item === undefined) return ""
    const ended = this.#endContent(item)
    this.#item = undefined
    const text = this.#itemText(item, status, more)
    const index = this.done.push(text) - 1
    return ended + this.frame("response.output_item.done", `"output_index":${index},"item":${text}`)
  }

  #begin(kind: Item["kind"], fixed: string): string {
    const closed = this.close("completed")
    const index = this.done.length
    const id = `${idStart[kind]}_${this.#suffix}_${index}`
    const input = kind === "custom_tool_call" ? new CustomInputReader() : undefined
    this.#item = {
      kind,
      id,
      fixed,
      parts: [],
      part: undefined,
      text: new GrowingText(),
      annotations: [],
      input,
      frame: undefined
    }
    const item = this.#itemText(this.#item, "in_progress", "")
    return closed + this.frame("response.output_item.added", `"output_index":${index},"item":${item}`)
  }

  #say(part: "output_text" | "refusal", piece: string): string {
    if (piece === "") return ""
    const opened = this.#item?.kind === "message" ? "" : this.#begin("message", "")
    return opened + this.#piece(part, piece)
  }

  #piece(part: NonNullable<Item["part"]>, piece: string): string {
    const item = this.#item!
    let opened = ""
    if (item.part !== part) {
      opened = this.#endContent(item)
      item.part = part
      item.text = new GrowingText()
      item.annotations = []
      item.frame = undefined
      opened += this.frame(`${partEvent(part)}.added`, `${this.#at(item)},"part":${partText(part, "")}`)
    }
    const logprobs = part === "output_text" ? `,"logprobs":[]` : ""
    return opened + this.#delta(item, `${textEvent(part)}.delta`, piece, logprobs)
  }

  #called(event: string, piece: string): string {
    const item = this.#item!
    if (piece === "") return ""
    return this.#delta(item, `response.${event}.delta`, piece, "")
  }

  #delta(item: Item, type: string, piece: string, more: string): string {
    item.text.add(piece)
    this.length += piece.length
    item.frame ??= this.#frameOf(item, type, more)
    const [start, middle, end] = item.frame
    return start + this.sequence++ + middle + piece + end
  }

  #frameOf(item: Item, type: string, more: string): NonNullable<Item["frame"]> {
    const body = `{"type":"${type}","sequence_number":@,${this.#at(item)},"delta":"@"${more}}`
    const [start, middle, end] = namedFrame(type, body).split("@")
    return [start!, middle!, end!]
  }

  /** The end of the open part, or of what a tool is called with. */
  #endContent(item: Item): string {
    if (item.kind === "function_call" || item.kind === "custom_tool_call")
      return this.#endCall(item, item.kind)
    const { part } = item
    if (part === undefined) return ""
    const text = item.text.whole()
    const name = part === "refusal" ? "refusal" : "text"
    const logprobs = part === "output_text" ? `,"logprobs":[]` : ""
    const whole = partText(part, text, item.annotations)
    const ended =
      this.frame(`${textEvent(part)}.done`, `${this.#at(item)},"${name}":"${text}"${logprobs}`) +
      this.frame(`${partEvent(part)}.done`, `${this.#at(item)},"part":${whole}`)
    item.parts.push(whole)
    item.part = undefined
    return ended
  }

  /** Clients parse what a function is called with, be it nothing. */
  #endCall(item: Item, kind: keyof typeof calledBy): string {
    const { event, member } = calledBy[kind]
    const last = item.input?.end() ?? (item.text.length === 0 ? "{}" : "")
    return (
      this.#called(event, last) +
      this.frame(`response.${event}.done`, `${this.#at(item)},"${member}":"${item.text.whole()}"`)
    )
  }

  /** Where an event belongs. */
  #at({ id, kind, parts }: Item): string {
    const index = `"item_id":"${id}","output_index":${this.done.length}`
    if (kind === "message") return `${index},"content_index":${parts.length}`
    return kind === "reasoning" ? `${index},"summary_index":${parts.length}` : index
  }

  #itemText(
    { fixed, id, kind, parts, text }: Item,
    status: ItemStatus | "in_progress",
    more: string
  ): string {
    const begun = `{"id":"${id}","type":"${kind}"`
    switch (kind) {
      case "message":
        return `${begun},"status":"${status}","role":"assistant","content":[${parts.join(",")}]}`
      case "reasoning":
        return `${begun},"summary":[${parts.join(",")}]${more}}`
      default:
        return `${begun},"status":"${status}"${fixed},"${calledBy[kind].member}":"${text.whole()}"}`
    }
  }
}

const partEvent = (part: NonNullable<Item["part"]>): string =>
  part === "summary_text" ? "response.reasoning_summary_part" : "response.content_part"

const textEvent = (part: NonNullable<Item["part"]>): string =>
  part === "summary_text" ? "response.reasoning_summary_text" : `response.${part}`

const partText = (
  part: NonNullable<Item["part"]>,
  text: string,
  annotations: ReadonlyArray<string> = []
): string => {
  if (part === "output_text")
    return `{"type":"output_text","annotations":[${annotations.join(",")}],"logprobs":[],"text":"${text}"}`
  return part === "refusal"
    ? `{"type":"refusal","refusal":"${text}"}`
    : `{"type":"summary_text","text":"${text}"}`
}
