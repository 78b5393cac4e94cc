import { assert } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { pairs } from "../../../src/formats/pairs.ts"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { contextFor } from "../models.ts"
import { type Direction, type OracleCase, oracleFolder, type Outcome } from "../oracle-case.ts"
import { inPieces, readFrames, runCodec } from "../stream-runner.ts"

const convert = ({ input }: OracleCase, size?: number): Outcome => {
  const { b64_file: name } = input as { readonly b64_file: string }
  const bytes = Buffer.from(readFileSync(resolve(oracleFolder, name), "utf8"), "base64")
  const pieces = inPieces(bytes, size ?? bytes.length)
  return { events: readFrames(runCodec(pairs.messages.invoke.stream(contextFor()), pieces, "messages")) }
}

export const direction: Direction = {
  direction: "bedrock_invoke_stream->messages_stream",
  run: (oracleCase) => convert(oracleCase),
  predicates: {
    "bedrock-invoke-stream": (outcome, oracleCase) => {
      assert.strictEqual((outcome.events!.at(-1) as JsonObject).type, "message_stop")
      assert.deepStrictEqual(convert(oracleCase, 1), outcome)
    },
    "bedrock-stream-exception": (outcome, oracleCase) => {
      assert.strictEqual((outcome.events!.at(-1) as JsonObject).type, "error")
      assert.notInclude(JSON.stringify(outcome.events), "message_stop")
      assert.deepStrictEqual(convert(oracleCase, 1), outcome)
    }
  }
}
