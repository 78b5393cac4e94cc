/** Events as providers write them. */
import type { JsonObject } from "../../../../src/formats/json/json.ts"

export const sse = (events: ReadonlyArray<JsonObject>, isNamed: boolean): Buffer =>
  Buffer.from(
    events
      .map((event) => `${isNamed ? `event: ${String(event.type)}\n` : ""}data: ${JSON.stringify(event)}\n\n`)
      .join("")
  )
