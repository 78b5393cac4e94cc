/** Weighs a whole answer of any protocol: what the model wrote, and nothing of what stands around it. */
import { isJsonObject, type Json, type JsonObject } from "../json/json.ts"
import { OutputMeter } from "./output-meter.ts"

export const meterAnswer = (answer: JsonObject): OutputMeter => {
  const meter = new OutputMeter()
  const open: Array<Json | undefined> = [answer.content, answer.choices, answer.output]
  while (open.length > 0) {
    const value = open.pop()
    if (Array.isArray(value)) for (const part of value as ReadonlyArray<Json>) open.push(part)
    else if (isJsonObject(value)) open.push(...meterObject(value, meter))
  }
  return meter
}

/** Members that hold what a model wrote. */
const written = ["text", "thinking", "refusal", "arguments"] as const
/** Members that stand for thoughts nobody outside sees. */
const encrypted = ["encrypted_content", "data"] as const
/** Members that hold further parts. */
const nested = [
  "content",
  "message",
  "tool_calls",
  "function",
  "function_call",
  "summary",
  "thinking",
  "reasoning_content"
] as const

const meterObject = (value: JsonObject, meter: OutputMeter): ReadonlyArray<Json | undefined> => {
  // What the provider's own tools found was not written by the model.
  if (typeof value.type === "string" && value.type.endsWith("_result")) return []
  for (const name of written) meterText(value[name], meter)
  // Some upstreams give the same thoughts by two names.
  meterText(value.reasoning_content ?? value.reasoning, meter)
  meterText(value.content, meter)
  for (const name of encrypted) {
    const opaque = value[name]
    if (typeof opaque === "string") meter.opaqueCharacters += opaque.length
  }
  if (typeof value.name === "string") meter.addToolCall(value.name)
  meter.addArguments(value.input)
  meter.addArguments(value.arguments)
  return nested.map((name) => value[name])
}

const meterText = (text: Json | undefined, meter: OutputMeter): void => {
  if (typeof text === "string" && text !== "") meter.addText(text)
}
