/** Which of the catalogue's models stands for the model of a recording. */
import type { Model } from "../../src/domain/catalogue.ts"
import { modelNamed } from "../catalogue.ts"

/** A model of the same tokenizer and prompt format as the recorded one, as far as the catalogue has one. */
const alike: ReadonlyArray<readonly [pattern: RegExp, id: string]> = [
  [/opus-4-[78]/, "claude-opus-4-8"],
  [/fable/, "claude-fable-5"],
  [/sonnet-5/, "claude-sonnet-5"],
  [/claude/, "claude-sonnet-4-6"],
  [/gpt-oss/, "svc/gpt-oss-120b"],
  [/deepseek/, "deepseek-v4-flash"],
  [/nova/, "svc/nova-2-lite"],
  [/minimax/, "minimax-m3"],
  [/grok/, "grok-4.7"],
  [/glm/, "glm-5.3"]
]

export const modelLike = (recorded: string): Model =>
  modelNamed(alike.find(([pattern]) => pattern.test(recorded))?.[1] ?? "gpt-5.5")
