import { assert } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { pairs } from "../../../src/formats/pairs.ts"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { contextFor } from "../models.ts"
import { type Direction, oracleFolder } from "../oracle-case.ts"
import { readFrames, runCodec } from "../stream-runner.ts"

export const direction: Direction = {
  direction: "bedrock_converse_stream->messages_stream",
  run: ({ input }) => {
    const { b64_file: name } = input as { readonly b64_file: string }
    const bytes = Buffer.from(readFileSync(resolve(oracleFolder, name), "utf8"), "base64")
    return { events: readFrames(runCodec(pairs.messages.converse.stream(contextFor()), [bytes], "messages")) }
  },
  predicates: {
    "bedrock-converse-stream-thinking": (outcome) => {
      const events = outcome.events as ReadonlyArray<JsonObject & { readonly delta?: JsonObject }>
      const starts = events.filter((event) => event.type === "content_block_start")
      assert.deepStrictEqual(
        starts.map((event) => (event.content_block as JsonObject).type),
        ["thinking", "text"]
      )
      const thinking = events.filter((event) => event.index === 0 && event.delta !== undefined)
      assert.strictEqual(thinking.at(-1)!.delta!.type, "signature_delta")
      const { usage } = events.find((event) => event.type === "message_delta")!
      assert.deepInclude(usage as object, { input_tokens: 36, output_tokens: 73 })
    }
  }
}
