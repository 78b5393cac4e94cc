/**
 * Custom tools of a chat request for the many chat providers that know functions alone: a function of one text each. The
 * rest of the request stays in the client's own bytes.
 */
import type { Result } from "effect"
import type { Model } from "../../../domain/catalogue.ts"
import { chatTraitsOf, knowsCustomTools } from "../../chat/chat-traits.ts"
import { toolCalled } from "../../chat/tool-calls.ts"
import { eachObject } from "../../json/each-object.ts"
import { type InvalidRequest, objectAt, refusable, textAt } from "../../json/fields.ts"
import { isJsonObject, type Json, type JsonObject, objectsOf } from "../../json/json.ts"
import { parseExactJson } from "../../json/parse-exact-json.ts"
import { readMember } from "../../json/scan.ts"
import { type Edit, replaceValue } from "../../json/splice.ts"
import { functionTool } from "../messages-to-chat/tools.ts"
import { OfferedTools } from "../OfferedTools.ts"
import { type ClientRequest, renamedBefore } from "../requests.ts"
import { chatGrammar, customTool } from "../tool-definitions.ts"
import { chatNameLengthMax, ToolNameMap, type ToolNames } from "../tool-names.ts"
import { originAt } from "../tool-origin.ts"

interface AsFunctions {
  readonly edits: ReadonlyArray<Edit>
  readonly toolNames: ToolNames
}

/** Asked of every chat call that goes up as it is. */
export const hasUnknownCustomTools = ({ messages, tools }: JsonObject, model: Model): boolean =>
  !knowsCustomTools(model) && (someObject(tools, isCustom) || someObject(messages, callsCustomTools))

export const customToolsAsFunctions = (
  request: ClientRequest,
  model: Model
): Result.Result<AsFunctions, InvalidRequest> =>
  refusable(() => new CustomTools(request, model).asFunctions())

const someObject = (list: Json | undefined, is: (item: JsonObject) => boolean): boolean =>
  Array.isArray(list) && list.some((item: Json) => isJsonObject(item) && is(item))

const callsCustomTools = ({ tool_calls: calls }: JsonObject): boolean => someObject(calls, isCustom)

/** A tool, a call or a choice; what looks otherwise is the provider's to judge. */
const isCustom = ({ custom }: JsonObject): boolean => isJsonObject(custom)

class CustomTools {
  readonly #request: ClientRequest
  readonly #model: Model
  readonly #offered = new OfferedTools()
  readonly #names: ToolNameMap

  constructor(request: ClientRequest, model: Model) {
    this.#request = request
    this.#model = model
    this.#names = new ToolNameMap(chatNameLengthMax, chatTraitsOf(model).toolNameStart)
  }

  asFunctions(): AsFunctions {
    const areCalled = someObject(this.#request.parsed.messages, callsCustomTools)
    const edits = [
      ...this.#edit("tools", (tools) => this.#tools(tools)),
      ...this.#edit("tool_choice", (choice) => this.#choice(choice)),
      ...(areCalled ? this.#edit("messages", (messages) => this.#messages(messages)) : [])
    ]
    const names = { body: {}, toolNames: this.#names.originals }
    return { edits, toolNames: renamedBefore(this.#offered.originals, names).toolNames }
  }

  /** What was parsed of the request may have its long texts left out. */
  #edit(name: string, change: (value: Json | undefined) => Json | undefined): ReadonlyArray<Edit> {
    const { bytes, members } = this.#request
    const value = readMember(bytes, members, name, parseExactJson) as Json | undefined
    const changed = change(value)
    return changed === value ? [] : replaceValue(members, name, JSON.stringify(changed))
  }

  #tools(tools: Json | undefined): Json | undefined {
    // The names of functions stay, so that they come first.
    for (const { function: called } of objectsOf(tools))
      if (isJsonObject(called) && typeof called.name === "string")
        this.#offered.offer({ name: called.name, namespace: undefined, isCustom: false }, {})
    return eachObject(tools, (tool, index) => (isCustom(tool) ? this.#tool(tool, `tools.${index}`) : tool))
  }

  #tool({ custom, ...tool }: JsonObject, field: string): JsonObject {
    const at = `${field}.custom`
    const definition = objectAt(custom, at)
    const origin = originAt(definition, at, true)
    const told = customTool(definition, at, chatGrammar(definition))
    this.#offered.offer(origin, told)
    const sent = { name: this.#offered.nameOf(origin), ...told }
    return { ...tool, ...functionTool(sent, at, this.#model, this.#names) }
  }

  #choice(choice: Json | undefined): Json | undefined {
    if (!isJsonObject(choice)) return choice
    const { allowed_tools: allowed } = choice
    if (!isJsonObject(allowed)) return this.#chosen(choice, "tool_choice")
    const tools = eachObject(allowed.tools, (tool, index) =>
      this.#chosen(tool, `tool_choice.allowed_tools.tools.${index}`)
    )
    return tools === allowed.tools ? choice : { ...choice, allowed_tools: { ...allowed, tools } }
  }

  #chosen(choice: JsonObject, field: string): JsonObject {
    if (!isCustom(choice)) return choice
    const { custom, ...rest } = choice
    return { ...rest, type: "function", function: { name: this.#nameAt(custom, field) } }
  }

  #messages(messages: Json | undefined): Json | undefined {
    return eachObject(messages, (message, index) => {
      const { tool_calls: calls } = message
      const told = eachObject(calls, (call, place) =>
        isCustom(call) ? this.#call(call, `messages.${index}.tool_calls.${place}`) : call
      )
      return told === calls ? message : { ...message, tool_calls: told }
    })
  }

  #call({ custom, ...call }: JsonObject, field: string): JsonObject {
    const input = textAt(objectAt(custom, `${field}.custom`).input, `${field}.custom.input`)
    const written = JSON.stringify({ input })
    return { ...call, ...toolCalled(false, this.#nameAt(custom, field), written) }
  }

  #nameAt(custom: Json | undefined, field: string): string {
    const at = `${field}.custom`
    return this.#names.send(this.#offered.nameOfCall(originAt(objectAt(custom, at), at, true)))
  }
}
