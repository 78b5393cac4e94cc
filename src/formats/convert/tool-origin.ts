/**
 * What a tool of a chat or Responses request was before it became a plain function. It travels with the tools' other
 * names, as the name that a function is to have back.
 */
import { stringAt } from "../json/fields.ts"
import type { JsonObject } from "../json/json.ts"

export interface ToolOrigin {
  readonly name: string
  readonly namespace: string | undefined
  /** Called with a text, not with JSON. */
  readonly isCustom: boolean
}

/** Of what names a tool in chat, which has no groups. */
export const originAt = ({ name }: JsonObject, field: string, isCustom: boolean): ToolOrigin => ({
  name: stringAt(name, `${field}.name`),
  namespace: undefined,
  isCustom
})

/** A plain function's own name is all there is of it, unless it holds the character that parts the others. */
export const writeOrigin = ({ isCustom, name, namespace }: ToolOrigin): string =>
  isCustom || namespace !== undefined || name.includes(separator)
    ? [isCustom ? "custom" : "function", namespace ?? "", name].join(separator)
    : name

export const readOrigin = (text: string): ToolOrigin => {
  const [kind, namespace, ...name] = text.split(separator)
  if (name.length === 0) return { name: text, namespace: undefined, isCustom: false }
  return {
    name: name.join(separator),
    namespace: namespace === "" ? undefined : namespace,
    isCustom: kind === "custom"
  }
}

export const separator = "\u0000"
