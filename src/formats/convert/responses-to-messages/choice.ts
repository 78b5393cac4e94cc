/** The choice among the tools of a Responses request, and those that it leaves. */
import type { Model } from "../../../domain/catalogue.ts"
import { arrayAt, booleanAt, objectAt, optional, refuse, stringAt } from "../../json/fields.ts"
import { isAbsent, isJsonObject, type Json, type JsonObject, objectsOf } from "../../json/json.ts"
import type { OfferedTools } from "../OfferedTools.ts"

interface Choice {
  readonly mode: "auto" | "none" | "required" | undefined
  /** The one tool that must be called. */
  readonly name?: string
  /** The only tools that may be called. */
  readonly allowed?: ReadonlySet<string>
}

/** `tools` and `tool_choice` of a Messages request. */
export const messagesChoice = (body: JsonObject, model: Model, offered: OfferedTools): JsonObject => {
  const parallel = optional(booleanAt, body.parallel_tool_calls, "parallel_tool_calls")
  const { allowed, mode, name } = readChoice(body.tool_choice, offered)
  const tools = allowed === undefined ? offered.tools : offered.tools.filter((tool) => allowed.has(tool.name))
  if (tools.length === 0 && mode === "required") refuse("tool_choice", forcesMissing(body))
  if (tools.length === 0) return {}
  const isSingle = parallel === false && mode !== "none"
  const isForced = mode === "required" && !model.upstream.refuses.has("forced_tool_choice")
  if (!isForced && mode !== "none" && !isSingle) return { tools }
  const type = mode === "none" ? "none" : isForced ? (name === undefined ? "any" : "tool") : "auto"
  return {
    tools,
    tool_choice: {
      type,
      ...(type === "tool" && { name }),
      ...(isSingle && { disable_parallel_tool_use: true })
    }
  }
}

const forcesMissing = ({ tool_choice: choice, tools }: JsonObject): string => {
  const meant = isJsonObject(choice) ? choice.tools : tools
  const types = objectsOf(meant).map(({ type }) => String(type))
  return types.length === 0
    ? "forces a tool where none are given"
    : `forces a tool, and this model's provider has none of ${[...new Set(types)].join(", ")}`
}

const readChoice = (choice: Json | undefined, offered: OfferedTools): Choice => {
  if (isAbsent(choice)) return { mode: undefined }
  if (choice === "auto" || choice === "none" || choice === "required") return { mode: choice }
  const asked = objectAt(choice, "tool_choice")
  const type = stringAt(asked.type, "tool_choice.type")
  switch (type) {
    case "function":
    case "custom":
      return { mode: "required", name: namedTool(asked, type === "custom", offered) }
    case "allowed_tools":
      return {
        mode: asked.mode === "required" ? "required" : "auto",
        allowed: allowedNames(arrayAt(asked.tools, "tool_choice.tools"), offered)
      }
    default:
      return refuse("tool_choice", `forces ${type}, which this model's provider does not have`)
  }
}

const namedTool = (asked: JsonObject, isCustom: boolean, offered: OfferedTools): string => {
  const name = stringAt(asked.name, "tool_choice.name")
  const [sent] = offered.named(name, isCustom, asked.namespace)
  return sent ?? refuse("tool_choice.name", "is not among the tools")
}

const allowedNames = (tools: ReadonlyArray<Json>, offered: OfferedTools): ReadonlySet<string> =>
  new Set(
    tools.flatMap((value, index) => {
      const tool = objectAt(value, `tool_choice.tools.${index}`)
      const { name, namespace, type } = tool
      if (typeof name !== "string") return []
      return type === "namespace" ? offered.inGroup(name) : offered.named(name, type === "custom", namespace)
    })
  )
