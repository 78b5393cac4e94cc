/** A converted request as the bytes that go upstream. */
import type { UpstreamBody } from "../Pair.ts"
import { wellFormedJson } from "../json/well-formed-json.ts"
import type { RequestConverted } from "./conversion.ts"
import type { ToolNames } from "./tool-names.ts"

export const upstreamBody = (
  { body, toolNames }: RequestConverted,
  missingImages: ReadonlyArray<string> = []
): UpstreamBody => ({ body, bytes: Buffer.from(wellFormedJson(body)), toolNames, missingImages })

/** Names that were changed twice are changed back in one step. */
export const renamedBefore = (
  before: ToolNames,
  { body, toolNames }: RequestConverted
): RequestConverted => ({
  body,
  toolNames: before.size === 0 ? toolNames : composed(toolNames, before)
})

const composed = (outer: ToolNames, inner: ToolNames): ToolNames =>
  new Map([...inner, ...[...outer].map(([sent, name]) => [sent, inner.get(name) ?? name] as const)])
