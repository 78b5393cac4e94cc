/** Marks for the prompt cache can say on Anthropic's own service how far they reach; Bedrock refuses that. */
import { isJsonObject, type Json, type JsonObject } from "../json.ts"

/** The members of the request that had to change. */
export const withoutCacheScopes = (request: JsonObject): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    ["system", "tools", "messages"].flatMap((name) => {
      const value = request[name]
      return value !== undefined && holdsScope(value) ? [[name, withoutScope(value)]] : []
    })
  )

const holdsScope = (value: Json | undefined): boolean => {
  if (Array.isArray(value)) return value.some(holdsScope)
  if (!isJsonObject(value)) return false
  const { cache_control: mark, content } = value
  return (isJsonObject(mark) && mark.scope !== undefined) || holdsScope(content)
}

const withoutScope = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(withoutScope)
  if (!isJsonObject(value)) return value
  const { cache_control: mark, content } = value
  return {
    ...value,
    ...(isJsonObject(mark) && { cache_control: withoutItsScope(mark) }),
    ...(Array.isArray(content) && { content: withoutScope(content) })
  }
}

const withoutItsScope = ({ scope: _, ...mark }: JsonObject): JsonObject => mark
