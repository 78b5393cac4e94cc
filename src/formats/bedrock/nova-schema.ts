/**
 * Schemas of tools as Nova takes them. At their root "extraneous key [$defs] is not permitted" (lastmile-ai/mcp-agent #126),
 * nor hardly any other beside these three (pydantic/pydantic-ai #1623; Nova's user guide, "Tool calling troubleshooting"), so
 * that what is referred to stands where it is referred to.
 */
import { type JsonObject, objectOf } from "../json/json.ts"
import { mapNested, rootObject, targetOf, withRoot } from "../json/json-schema.ts"

export const novaSchema = (schema: JsonObject): JsonObject => {
  const { properties, required } = rootObject(withRoot(schema), schema)
  const told = objectOf(properties)
  return {
    type: "object",
    properties: inlined({ properties: told }, new References(schema), [], 0).properties,
    ...(Array.isArray(required) && { required })
  }
}

class References {
  readonly #whole: JsonObject
  // A call holds for its tools as they came: what is repeated makes them twice as long at most.
  #charactersLeft: number

  constructor(whole: JsonObject) {
    this.#whole = whole
    this.#charactersLeft = JSON.stringify(whole).length
  }

  /** What stands in the reference's place: of what leads back to itself, or is too much, no more than its type. */
  follow(reference: string, followed: ReadonlyArray<string>): JsonObject {
    const target = targetOf(reference, this.#whole)
    if (target === undefined) return {}
    const { type } = target
    const open = type === undefined ? {} : { type }
    if (followed.includes(reference) || this.#charactersLeft <= 0) return open
    this.#charactersLeft -= JSON.stringify(target).length
    return this.#charactersLeft < 0 ? open : target
  }
}

/** Deeper, a chain of references could make what nothing can write. */
const followedLevelsMax = 64

const inlined = (
  schema: JsonObject,
  references: References,
  followed: ReadonlyArray<string>,
  level: number
): JsonObject => {
  const { $ref: reference, ...rest } = schema
  if (typeof reference !== "string")
    return mapNested(schema, (nested) => inlined(nested, references, followed, level + 1))
  if (level > followedLevelsMax) return rest
  const target = references.follow(reference, followed)
  return inlined({ ...target, ...rest }, references, [...followed, reference], level + 1)
}
