/** Weighs answers as they come. */
import { nestedTooDeeply } from "../json/nesting.ts"
import { isJsonObject, type Json } from "../json/json.ts"
import { TextMeter } from "./TextMeter.ts"

/** Weighs what an upstream has produced so far. */
export class OutputMeter extends TextMeter {
  /** Content events seen; most upstreams send at least one token in each. */
  events = 0
  /** Tool calls begun; each costs its frame beside its name and arguments. Whoever reads the stream counts them. */
  toolCalls = 0
  /** Characters of encrypted reasoning, which stand for tokens nobody outside sees. */
  opaqueCharacters = 0

  /** Adds the UTF-8 bytes `start` to `end` of `bytes`: text as it stands in a JSON string, escapes included. */
  addBytes(bytes: Uint8Array, start: number, end: number): void {
    this.events++
    this.addJsonBytes(bytes, start, end)
  }

  /** Adds the beginning of a tool call; without a name there is none yet. */
  addToolCall(name: string): void {
    if (name === "") return
    this.toolCalls++
    this.addText(name)
  }

  /** Adds what a tool is called with where that came as a whole object. */
  addArguments(input: Json | undefined): void {
    if (!isJsonObject(input) || nestedTooDeeply(input)) return
    for (const name in input) {
      if (Object.hasOwn(input, name)) return this.addText(JSON.stringify(input))
    }
  }

  override addText(text: string): void {
    this.events++
    super.addText(text)
  }
}
