/** Changes to the outermost members of a request that goes up, but for these, as the caller sent it. */
import type { Json, JsonObject } from "../../json/json.ts"
import { scanMembers } from "../../json/scan.ts"
import type { ObjectBytes } from "../../json/splice.ts"
import type { ToolNames } from "../tool-names.ts"

export interface BodyEdits {
  readonly remove: ReadonlyArray<string>
  /** Never empty. */
  readonly set: Readonly<Record<string, Json>>
  /** The names that they changed. */
  readonly toolNames: ToolNames
}

export type Changes = Pick<BodyEdits, "remove" | "set">

/** The caller's object with the edits made, every other member as it was. What stays is not read again. */
export const spliceEdits = (object: ObjectBytes, { remove, set }: Changes): ObjectBytes => {
  const leaves = new Set([...remove, ...Object.keys(set)])
  const head = Buffer.from(JSON.stringify(set))
  const parts: Array<Buffer> = [head.subarray(0, -1)]
  const members = [...(scanMembers(head) ?? [])]
  let end = head.length - 1
  for (const { name, nameEnd, nameStart, valueEnd, valueStart } of object.members) {
    if (leaves.has(name)) continue
    const moved = end + 1 - nameStart
    end = valueEnd + moved
    parts.push(comma, object.bytes.subarray(nameStart, valueEnd))
    members.push({
      name,
      nameStart: nameStart + moved,
      nameEnd: nameEnd + moved,
      valueStart: valueStart + moved,
      valueEnd: end
    })
  }
  return { bytes: Buffer.concat([...parts, closeBrace]), members }
}

const comma = Buffer.from(",")
const closeBrace = Buffer.from("}")

/** The same for a request that has been converted and has no bytes yet. */
export const applyEdits = (request: JsonObject, { remove, set }: Changes): JsonObject => ({
  ...Object.fromEntries(Object.entries(request).filter(([name]) => !remove.includes(name))),
  ...set
})
