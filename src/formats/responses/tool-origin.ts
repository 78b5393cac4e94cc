/**
 * What a tool of a Responses request was before it became a plain function. It travels with the tools' other names, as
 * the name that a function is to have back.
 */

export interface ToolOrigin {
  readonly name: string
  readonly namespace: string | undefined
  /** Called with a text, not with JSON. */
  readonly isCustom: boolean
}

/** A plain function's own name is all there is of it. No name of a tool holds the character that parts the others. */
export const writeOrigin = ({ isCustom, name, namespace }: ToolOrigin): string =>
  isCustom || namespace !== undefined
    ? [isCustom ? "custom" : "function", namespace ?? "", name].join(separator)
    : name

export const readOrigin = (text: string): ToolOrigin => {
  const [kind, namespace, name] = text.split(separator)
  if (name === undefined) return { name: text, namespace: undefined, isCustom: false }
  return { name, namespace: namespace === "" ? undefined : namespace, isCustom: kind === "custom" }
}

export const separator = "\u0000"
