/** What requests of the Responses interface are made of. */
import type { JsonObject } from "../../../src/formats/json/json.ts"

export const png =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNsaGioBwAFgwKAJ1YgJQAAAABJRU5ErkJggg=="
export const pdf = `data:application/pdf;base64,${Buffer.from("%PDF-1.4 a").toString("base64")}`
export const parameters = {
  type: "object",
  properties: { a: { type: "string" } },
  required: ["a"],
  additionalProperties: false
}
export const f = { type: "function", name: "f", description: "Does f.", parameters, strict: true }
export const g = { ...f, name: "g", strict: false }
export const patch = {
  type: "custom",
  name: "patch",
  description: "Patches.",
  format: { type: "grammar", syntax: "lark", definition: 'start: "a"' }
}
export const group = { type: "namespace", name: "crm", description: "Customers", tools: [f, patch] }
export const hi = { role: "user", content: "hi" }
export const call = { type: "function_call", id: "fc_1", call_id: "c1", name: "f", arguments: '{"a":"b"}' }
export const output = { type: "function_call_output", call_id: "c1", output: "42" }
export const customCall = { type: "custom_tool_call", id: "ctc_1", call_id: "c2", name: "patch", input: "a" }
export const customOutput = { type: "custom_tool_call_output", call_id: "c2", output: "done" }
export const said = (text: string, more: JsonObject = {}) => ({
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text, annotations: [] }],
  ...more
})
export const user = (...content: ReadonlyArray<JsonObject>) => [{ role: "user", content }]
export const text = (value: string) => ({ type: "input_text", text: value })
export const answers = (value: unknown) => [hi, call, { ...output, output: value }]
export const person = { type: "json_schema", name: "person", schema: parameters, strict: true }

export interface LegalRequest {
  readonly is: string
  readonly request: JsonObject
  /** The field that models reached by conversion refuse it for. */
  readonly refusedFor?: string
}

export const allowed = (entries: Readonly<Record<string, unknown>>): ReadonlyArray<LegalRequest> =>
  Object.entries(entries).map(([is, request]) => ({ is, request: request as JsonObject }))

export const refused = (
  refusedFor: string,
  entries: Readonly<Record<string, unknown>>
): ReadonlyArray<LegalRequest> => allowed(entries).map(({ is, request }) => ({ is, request, refusedFor }))
