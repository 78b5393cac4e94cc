/** Changes to the outermost members of a request that goes up, but for these, as the caller sent it. */
import type { Json, JsonObject } from "../../json/json.ts"
import { scanMembers } from "../../json/scan.ts"
import type { ToolNames } from "../tool-names.ts"

export interface BodyEdits {
  readonly remove: ReadonlyArray<string>
  /** Never empty. */
  readonly set: Readonly<Record<string, Json>>
  /** The names that they changed. */
  readonly toolNames: ToolNames
}

export type Changes = Pick<BodyEdits, "remove" | "set">

/** The caller's bytes with the edits made, every other member as it was; `undefined` when they are no JSON object. */
export const spliceEdits = (bytes: Buffer, { remove, set }: Changes): Buffer | undefined => {
  const members = scanMembers(bytes)
  if (members === undefined) return undefined
  const leaves = new Set([...remove, ...Object.keys(set)])
  const parts: Array<Buffer> = [Buffer.from(JSON.stringify(set).slice(0, -1))]
  for (const { name, nameStart, valueEnd } of members) {
    if (leaves.has(name)) continue
    parts.push(comma, bytes.subarray(nameStart, valueEnd))
  }
  return Buffer.concat([...parts, Buffer.from("}")])
}

const comma = Buffer.from(",")

/** The same for a request that has been converted and has no bytes yet. */
export const applyEdits = (request: JsonObject, { remove, set }: Changes): JsonObject => ({
  ...Object.fromEntries(Object.entries(request).filter(([name]) => !remove.includes(name))),
  ...set
})
