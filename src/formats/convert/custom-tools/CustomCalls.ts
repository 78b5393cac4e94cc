/** Tells the pieces of a chat stream's calls of functions that stand for custom tools as pieces of calls of these. */
import { argumentsText } from "../../chat/content.ts"
import { calledPiece, toolCalled } from "../../chat/tool-calls.ts"
import { eachObject } from "../../json/each-object.ts"
import { isJsonObject, type Json, type JsonObject, objectOf, stringOf } from "../../json/json.ts"
import { plainOf } from "../../stream/pieces.ts"
import { CustomInputReader } from "../CustomInputReader.ts"
import { originalName, type ToolNames } from "../tool-names.ts"
import { readOrigin } from "../tool-origin.ts"

interface OpenCall {
  readonly id: string
  /** What tells a custom tool's text, of which it holds back no more than what would be cut; `undefined` of a function's call. */
  readonly input: CustomInputReader | undefined
}

export class CustomCalls {
  readonly #toolNames: ToolNames
  /** The call that came last at each place. */
  readonly #calls = new Map<string, OpenCall>()
  constructor(toolNames: ToolNames) {
    this.#toolNames = toolNames
  }

  /** The chunk itself where there is nothing to change. */
  chunk(chunk: JsonObject): JsonObject {
    const choices = eachObject(chunk.choices, (choice) => this.#choice(choice))
    return choices === chunk.choices ? chunk : { ...chunk, choices }
  }

  #choice(choice: JsonObject): JsonObject {
    const { delta, index } = choice
    if (!isJsonObject(delta)) return choice
    const calls = eachObject(delta.tool_calls, (call) => this.#call(call, placeOf(index, call.index)))
    return calls === delta.tool_calls ? choice : { ...choice, delta: { ...delta, tool_calls: calls } }
  }

  #call(call: JsonObject, place: string): JsonObject {
    const called = objectOf(call.function)
    const name = stringOf(called.name)
    const origin = readOrigin(originalName(this.#toolNames, name))
    const known = this.#calls.get(place)
    const begins = name !== "" && isAnother(call, known)
    const open = begins ? this.#begin(call, place, origin.isCustom) : known
    if (open?.input === undefined) return call
    const piece = plainOf(open.input.push(argumentsText(called.arguments)))
    const told = begins
      ? toolCalled(true, origin.name, piece)
      : { type: undefined, ...calledPiece(true, piece) }
    return { ...call, function: undefined, ...told }
  }

  #begin({ id }: JsonObject, place: string, isCustom: boolean): OpenCall {
    const open = { id: stringOf(id), input: isCustom ? new CustomInputReader() : undefined }
    this.#calls.set(place, open)
    return open
  }
}

const placeOf = (choice: Json | undefined, index: Json | undefined): string =>
  [choice, index].map((place) => (typeof place === "number" ? place : "")).join(" ")

/** A new id begins a new call; where there is neither that nor an index, a name does. */
const isAnother = ({ id, index }: JsonObject, known: OpenCall | undefined): boolean => {
  if (known === undefined) return true
  return stringOf(id) !== "" && known.id !== "" ? known.id !== id : index === undefined
}
