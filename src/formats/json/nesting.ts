/** How deeply JSON may be nested. */
import { refuse } from "./fields.ts"
import type { Json, JsonObject } from "./json.ts"

// JSON.stringify is recursive and overflows the stack somewhere above 4,000 levels.
export const levelsMax = 512

/** Whether a value is nested deeper than anything sensible. Level by level, since recursion is what it guards against. */
export const nestedTooDeeply = (value: Json): boolean => {
  let level: Array<Json | undefined> = [value]
  for (let depth = 0; depth < levelsMax; depth++) {
    const next: Array<Json | undefined> = []
    for (const node of level) {
      if (typeof node !== "object" || node === null) continue
      for (const child of Object.values(node))
        if (typeof child === "object" && child !== null) next.push(child)
    }
    if (next.length === 0) return false
    level = next
  }
  return true
}

/** Refuses a body whose nesting would overflow the stack further on, by the top-level field it is in. */
export const refuseDeepNesting = (body: JsonObject): void => {
  if (!nestedTooDeeply(body)) return
  const field = Object.keys(body).find((key) => nestedTooDeeply([body[key] ?? null])) ?? "body"
  refuse(field, `is nested deeper than ${levelsMax} levels`)
}
