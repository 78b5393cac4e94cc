/**
 * The tools of a Responses request, wherever it gives them, as those of Messages: custom tools become functions of one
 * text, groups are flattened, and what only OpenAI runs is left out.
 */
import type { Model } from "../../../domain/catalogue.ts"
import { arrayAt, objectAt, optional, refuse, stringAt } from "../../json/fields.ts"
import { fitsStrictMode, rootObject } from "../../json/json-schema.ts"
import { isJsonObject, type Json, type JsonObject } from "../../json/json.ts"
import { strictTools } from "../strict-tools.ts"
import { separator, type ToolOrigin, writeOrigin } from "../../responses/tool-origin.ts"
import { messagesNameLengthMax, ToolNameMap } from "../tool-names.ts"
import type { MessagesDialect } from "./dialect.ts"

/** Names that fit, each for one tool alone, and what each of them stands for. */
export class OfferedTools {
  /** What is sent under a name, to what the client calls it. */
  readonly originals = new Map<string, string>()
  readonly tools: Array<JsonObject & { readonly name: string }> = []
  readonly #fitted = new ToolNameMap(messagesNameLengthMax)
  readonly #sent = new Map<string, string>()
  readonly #taken = new Set<string>()
  readonly #offered = new Set<string>()
  readonly #byName = new Map<
    string,
    Array<{ readonly name: string; readonly namespace: string | undefined }>
  >()

  /** The name a tool goes by; the same for the same tool in every request. */
  nameOf(origin: ToolOrigin): string {
    const original = writeOrigin(origin)
    const known = this.#sent.get(original)
    if (known !== undefined) return known
    const flat = origin.namespace === undefined ? origin.name : `${origin.namespace}__${origin.name}`
    let sent = this.#fitted.send(flat)
    // A group and a plain tool may come to the same name.
    for (let count = 2; this.#taken.has(sent); count++) sent = this.#fitted.send(`${flat} ${count}`)
    this.#taken.add(sent)
    this.#sent.set(original, sent)
    if (sent !== original) this.originals.set(sent, original)
    return sent
  }

  /** The same for a call of the history, whose tool may be of another kind by now, or have lost its group on the way. */
  nameOfCall(origin: ToolOrigin): string {
    const { isCustom, name, namespace } = origin
    if (this.#sent.has(writeOrigin(origin))) return this.nameOf(origin)
    const alike = [isCustom, !isCustom].flatMap((kind) => this.named(name, kind, namespace))
    return alike.length === 1 ? alike[0]! : this.nameOf(origin)
  }

  /** OpenAI takes a tool that is there twice. */
  offer(origin: ToolOrigin, definition: JsonObject): void {
    const name = this.nameOf(origin)
    if (this.#offered.has(name)) return
    this.#offered.add(name)
    this.tools.push({ name, ...definition })
    const alike = this.#byName.get(keyOf(origin.name, origin.isCustom))
    const one = { name, namespace: origin.namespace }
    if (alike === undefined) this.#byName.set(keyOf(origin.name, origin.isCustom), [one])
    else alike.push(one)
  }

  /** The tools a choice may mean: by their own name, in a group or not. */
  named(name: string, isCustom: boolean, namespace: Json | undefined): ReadonlyArray<string> {
    return (this.#byName.get(keyOf(name, isCustom)) ?? [])
      .filter((one) => namespace === undefined || namespace === one.namespace)
      .map((one) => one.name)
  }

  /** All tools of a group. */
  inGroup(namespace: string): ReadonlyArray<string> {
    return [...this.#byName.values()]
      .flat()
      .filter((one) => namespace === one.namespace)
      .map((one) => one.name)
  }
}

const keyOf = (name: string, isCustom: boolean): string => `${isCustom}${separator}${name}`

/** All tools of the request: its own, and those that items of the input bring along. */
export const offeredTools = (body: JsonObject, model: Model, { goesOn }: MessagesDialect): OfferedTools => {
  const offered = new OfferedTools()
  offerAll(optional(arrayAt, body.tools, "tools") ?? [], "tools", undefined, offered)
  for (const [index, item] of inputItems(body).entries()) {
    if (!bringsTools.has(item.type)) continue
    const field = `input.${index}.tools`
    offerAll(optional(arrayAt, item.tools, field) ?? [], field, undefined, offered)
  }
  // Whoever converts the request further knows what its provider takes.
  if (goesOn) return offered
  for (const [index, tool] of strictTools(offered.tools, model).entries()) offered.tools[index] = tool
  return offered
}

const bringsTools: ReadonlySet<Json | undefined> = new Set(["additional_tools", "tool_search_output"])

const inputItems = ({ input }: JsonObject): ReadonlyArray<JsonObject> =>
  Array.isArray(input) ? (input as ReadonlyArray<Json>).map((item) => (isJsonObject(item) ? item : {})) : []

const offerAll = (
  tools: ReadonlyArray<Json>,
  field: string,
  namespace: string | undefined,
  offered: OfferedTools
): void => {
  for (const [index, value] of tools.entries()) {
    const at = `${field}.${index}`
    const tool = objectAt(value, at)
    if (tool.type === "namespace" && namespace === undefined)
      offerAll(optional(arrayAt, tool.tools, `${at}.tools`) ?? [], `${at}.tools`, nameAt(tool, at), offered)
    else if (tool.type === "function")
      offered.offer({ name: nameAt(tool, at), namespace, isCustom: false }, functionTool(tool, at))
    else if (tool.type === "custom")
      offered.offer({ name: nameAt(tool, at), namespace, isCustom: true }, customTool(tool, at))
    else stringAt(tool.type, `${at}.type`)
  }
}

const nameAt = (tool: JsonObject, field: string): string => {
  const name = stringAt(tool.name, `${field}.name`)
  return name === "" || name.includes(separator) ? refuse(`${field}.name`, "is no name of a tool") : name
}

const functionTool = (tool: JsonObject, field: string): JsonObject => {
  const schema = rootObject(optional(objectAt, tool.parameters, `${field}.parameters`) ?? {})
  return {
    ...descriptionOf(optional(stringAt, tool.description, `${field}.description`) ?? ""),
    input_schema: schema,
    ...(tool.strict === true && fitsStrictMode(schema) && { strict: true })
  }
}

/** A text has no form that a schema could tell, so its grammar is told in words. */
const customTool = (tool: JsonObject, field: string): JsonObject => {
  const told = optional(stringAt, tool.description, `${field}.description`) ?? ""
  const { definition, syntax } = isJsonObject(tool.format) ? tool.format : {}
  const grammar =
    typeof definition === "string"
      ? `The whole input must fit this grammar (${typeof syntax === "string" ? syntax : "of its own"}):\n${definition}`
      : ""
  return {
    ...descriptionOf([told, grammar].filter((text) => text !== "").join("\n\n")),
    input_schema: {
      type: "object",
      properties: { input: { type: "string", description: "The tool's whole input, as it is." } },
      required: ["input"],
      additionalProperties: false
    }
  }
}

const descriptionOf = (description: string): JsonObject => (description === "" ? {} : { description })
