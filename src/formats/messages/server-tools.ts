/** Tools that a Messages provider runs or defines by itself, which other providers do not have. */
import { refuse } from "../json/fields.ts"
import type { JsonObject } from "../json/json.ts"

/** They have a type and no schema. A chat client's function is the caller's own. */
export const isServerTool = (tool: JsonObject): boolean =>
  tool.input_schema === undefined &&
  typeof tool.type === "string" &&
  tool.type !== "custom" &&
  tool.type !== "function"

/** What the provider does not have is left out of what was asked for, unless the choice forces it. */
export const refuseForcedMissingTool = (
  choice: JsonObject | undefined,
  asked: ReadonlyArray<JsonObject>,
  isMissing: (tool: JsonObject) => boolean
): void => {
  const missing = asked.filter(isMissing)
  const forced = missing.filter(({ name }) =>
    choice?.type === "tool" ? name === choice.name : choice?.type === "any" && missing.length === asked.length
  )
  if (forced.length === 0) return
  const names = forced.map(({ name, type }) => String(name ?? type)).join(", ")
  refuse("tool_choice", `forces a tool, and this model's provider has none of ${names}`)
}
