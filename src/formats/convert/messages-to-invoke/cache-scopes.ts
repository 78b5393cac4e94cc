/** Marks for the prompt cache can say on Anthropic's own service how far they reach; Bedrock refuses that. */
import { formerIfSame } from "../../json/each-object.ts"
import { isJsonObject, type Json, type JsonObject } from "../../json/json.ts"

/** The members of the request that had to change. */
export const withoutCacheScopes = (request: JsonObject): Readonly<Record<string, Json>> => {
  const changed: Record<string, Json> = {}
  for (const name of ["system", "tools", "messages"]) setFitted(changed, name, request[name])
  return changed
}

/** The same value where nothing had to change. */
const withoutScope = (value: Json): Json => {
  if (Array.isArray(value)) return formerIfSame(value.map(withoutScope), value)
  if (!isJsonObject(value)) return value
  const changed: Record<string, Json> = {}
  for (const name of ["content", "source"]) setFitted(changed, name, value[name])
  const { cache_control: mark } = value
  if (isJsonObject(mark) && mark.scope !== undefined) changed.cache_control = withoutItsScope(mark)
  return Object.keys(changed).length === 0 ? value : { ...value, ...changed }
}

const setFitted = (changed: Record<string, Json>, name: string, value: Json | undefined): void => {
  if (value === undefined) return
  const fitted = withoutScope(value)
  if (fitted !== value) changed[name] = fitted
}

const withoutItsScope = ({ scope: _, ...mark }: JsonObject): JsonObject => mark
