/** The input of a Responses request as the system prompt and the turns of a Messages request. */
import type { Model } from "../../../domain/catalogue.ts"
import { arrayAt, objectAt, optional, optionalText, refuse, stringAt } from "../../json/fields.ts"
import { isAbsent, isJsonObject, type Json, type JsonObject, objectsOf, stringOf } from "../../json/json.ts"
import { keptArguments } from "../chat-to-messages/answer-parts.ts"
import { isAttachment, messagesBlocks, textBlocks } from "../chat-to-messages/content.ts"
import { readMark } from "../reasoning-marks.ts"
import type { OfferedTools } from "../OfferedTools.ts"
import type { MessagesDialect } from "../messages-dialect.ts"
import { isOutputItem, textOfItem } from "./hosted-items.ts"
import { type Conversation, TurnBuilder } from "../TurnBuilder.ts"

export interface InputContext {
  readonly model: Model
  readonly dialect: MessagesDialect
  readonly offered: OfferedTools
}

export const messagesConversation = (body: JsonObject, context: InputContext): Conversation => {
  const reader = new InputReader(context)
  reader.system.push(...textBlocks(optionalText(body.instructions, "instructions")))
  if (typeof body.input === "string") reader.turns.say("user", textBlocks(body.input))
  else
    for (const [index, value] of arrayAt(body.input, "input").entries())
      reader.read(objectAt(value, `input.${index}`), `input.${index}`)
  const messages = reader.turns.build()
  if (messages.some(({ role }) => role !== "system")) return { system: reader.system, messages }
  // A prompt of nothing but instructions is what the user wants answered.
  const system = [...reader.system, ...messages.flatMap(({ content }) => objectsOf(content))]
  if (system.length === 0) return refuse("input", "holds nothing to answer")
  return { system: [], messages: [{ role: "user", content: system }] }
}

class InputReader {
  readonly system: Array<JsonObject> = []
  readonly turns = new TurnBuilder()
  readonly #context: InputContext
  /** The model's turn that is being read holds words. */
  #hasSpoken = false

  constructor(context: InputContext) {
    this.#context = context
  }

  read(item: JsonObject, field: string): void {
    if (isOutputItem(item) || (item.role ?? "assistant") !== "assistant") this.#hasSpoken = false
    switch (item.type ?? (item.role === undefined ? "item_reference" : "message")) {
      case "message":
        return this.#readMessage(item, field)
      case "function_call":
        return this.#readCall(item, field, keptArguments(optionalText(item.arguments, `${field}.arguments`)))
      case "custom_tool_call":
        return this.#readCall(item, field, { input: optionalText(item.input, `${field}.input`) })
      case "function_call_output":
      case "custom_tool_call_output":
        return this.turns.answer(answeredCall(item, field), this.#blocks(item.output, `${field}.output`))
      case "reasoning":
        return this.turns.say("assistant", this.#thought(item))
      case "computer_call_output":
        return this.turns.say("user", messagesBlocks([screenshotOf(item)], field))
      case "configuration_update":
        return
      case "compaction_trigger":
        return refuse(field, "asks for a summary of the input, which this model does not make")
      default: {
        const told = textBlocks(textOfItem(item))
        return isOutputItem(item) ? this.turns.say("user", told) : this.#speak(told)
      }
    }
  }

  #blocks(content: Json | undefined, field: string): ReadonlyArray<JsonObject> {
    return messagesBlocks(content, field, this.#context.dialect)
  }

  /** Chat joins the texts of a turn, where those of several items would be told as one. */
  #speak(blocks: ReadonlyArray<JsonObject>): void {
    const isJoined = this.#hasSpoken && blocks.length > 0 && this.#context.dialect.joinsTexts
    this.turns.say("assistant", isJoined ? [{ type: "text", text: "\n\n" }, ...blocks] : blocks)
    this.#hasSpoken ||= blocks.length > 0
  }

  #readMessage(item: JsonObject, field: string): void {
    const role = stringAt(item.role, `${field}.role`)
    if (role === "assistant") return this.#speak(assistantBlocks(item.content, `${field}.content`))
    const blocks = this.#blocks(item.content, `${field}.content`)
    if (role === "user") return this.turns.say("user", blocks)
    if (role !== "system" && role !== "developer")
      return refuse(`${field}.role`, "must be user, assistant, system or developer")
    const told = joinedText(blocks)
    if (this.#context.dialect.systemTurns) this.turns.say("system", told)
    else this.system.push(...told)
    // A prompt is text alone: an image or a file in it is shown by the user, where it stands.
    this.turns.say("user", blocks.filter(isAttachment))
  }

  #readCall(item: JsonObject, field: string, input: JsonObject): void {
    const name = stringAt(item.name, `${field}.name`)
    const namespace = optional(stringAt, item.namespace, `${field}.namespace`)
    const isCustom = item.type === "custom_tool_call"
    const sent = this.#context.offered.nameOfCall({ name, namespace, isCustom })
    this.turns.call(stringAt(item.call_id, `${field}.call_id`), sent, input)
  }

  /** What this model's own family thought, as it was. */
  #thought(item: JsonObject): ReadonlyArray<JsonObject> {
    const { dialect, model } = this.#context
    const mark = readMark(item.encrypted_content)
    if (mark === undefined || mark.family !== model.family) return []
    const sent = dialect.goesOn ? String(item.encrypted_content) : mark.payload
    if (mark.kind === "redacted" || mark.kind === "call") return [{ type: "redacted_thinking", data: sent }]
    const thinking = objectsOf(item.summary)
      .map(({ text }) => stringOf(text))
      .join("\n\n")
    // Who signs its thoughts takes none back without.
    if (mark.kind !== "thought" || sent === "" || (thinking === "" && mark.payload === "")) return []
    return [{ type: "thinking", thinking, signature: sent }]
  }
}

/** Codex tells what its app did by itself as the output of a tool that nobody called. */
const answeredCall = ({ call_id: id, name }: JsonObject, field: string): string =>
  stringAt(isAbsent(id) ? name : id, `${field}.call_id`)

/** Of parts nobody knows, what can be read of them. */
const assistantBlocks = (content: Json | undefined, field: string): ReadonlyArray<JsonObject> =>
  messagesBlocks(
    Array.isArray(content)
      ? content.map((part: Json) =>
          isJsonObject(part) && !said.has(part.type) ? { type: "text", text: textOfItem(part) } : part
        )
      : content,
    field
  )

const said: ReadonlySet<Json | undefined> = new Set(["output_text", "input_text", "text", "refusal"])

/** Each message one text, so that its parts can not be told from text that was written in one piece. */
const joinedText = (blocks: ReadonlyArray<JsonObject>): ReadonlyArray<JsonObject> =>
  textBlocks(
    blocks
      .map(({ text }) => text)
      .filter((text) => typeof text === "string")
      .join("\n\n")
  )

const screenshotOf = ({ output }: JsonObject): JsonObject =>
  isJsonObject(output) && typeof output.image_url === "string"
    ? { type: "input_image", image_url: output.image_url }
    : { type: "input_text", text: textOfItem({ type: "computer_call_output", output: output ?? null }) }
