/**
 * Schemas of tools as Kimi takes them: no type beside alternatives, and items that are one schema. Source: vercel/ai
 * #18921, "Moonshot Flavored JSON Schema". A property is never just `true` (can1357/oh-my-pi #5952). References "must
 * start with #/$defs/" (Softeria/ms-365-mcp-server #458), and of what they refer to nothing is told beside them but a
 * description (lidge-jun/opencodex #2673).
 */
import { isJsonObject, type Json, type JsonObject } from "../json/json.ts"
import { mapNested, rootObject, targetOf, withRoot } from "../json/json-schema.ts"

export const kimiSchema = (schema: JsonObject): JsonObject => {
  const definitions = new Definitions(schema)
  // What stands there is told by what refers to it, and would be read, and paid, twice.
  const { definitions: _, ...root } = withRoot(schema)
  const fitted = fit(root, definitions)
  const added = definitions.added()
  return added === undefined ? fitted : { ...fitted, $defs: { ...(fitted.$defs as JsonObject), ...added } }
}

/** What is referred to from elsewhere than among the definitions becomes one of them. */
class Definitions {
  readonly root: JsonObject
  readonly #names = new Map<string, string>()
  readonly #waiting: Array<{ readonly name: string; readonly target: JsonObject }> = []

  constructor(root: JsonObject) {
    this.root = root
  }

  /** The reference as Kimi takes it; `undefined` where there is nothing at its end. */
  refer(reference: string): string | undefined {
    const target = targetOf(reference, this.root)
    if (target === undefined) return undefined
    if (reference.startsWith("#/$defs/")) return reference
    const known = this.#names.get(reference)
    if (known !== undefined) return known
    const name = `referred_${this.#names.size + 1}`
    this.#names.set(reference, `#/$defs/${name}`)
    this.#waiting.push({ name, target })
    return `#/$defs/${name}`
  }

  added(): JsonObject | undefined {
    const fitted: Record<string, Json> = {}
    // To fit one may add others.
    for (const { name, target } of this.#waiting) {
      const { $defs: _, definitions: __, ...own } = target
      fitted[name] = fit(own, this)
    }
    return this.#waiting.length === 0 ? undefined : fitted
  }
}

const fit = (schema: JsonObject, definitions: Definitions): JsonObject => {
  if (typeof schema.$ref === "string") {
    const reference = definitions.refer(schema.$ref)
    const { description } = schema
    return {
      ...(reference !== undefined && { $ref: reference }),
      ...(description !== undefined && { description })
    }
  }
  const fitting = untyped(schema, definitions.root)
  const { items, ...rest } = fitting
  const tupled = Array.isArray(items) ? { ...rest, prefixItems: items } : fitting
  return mapNested(tupled, (nested) => fit(nested, definitions), {})
}

/** An object's alternatives become one; those of anything else each get its type. */
const untyped = (schema: JsonObject, root: JsonObject): JsonObject => {
  const { anyOf, type, ...rest } = schema
  if (type === undefined || !Array.isArray(anyOf)) return schema
  if (type === "object") return rootObject(schema, root)
  return { ...rest, anyOf: anyOf.map((branch: Json) => withType(branch, type)) }
}

const withType = (branch: Json, type: Json): Json =>
  isJsonObject(branch) && branch.type === undefined ? { type, ...branch } : branch
