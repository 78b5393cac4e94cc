/** Items of the Responses client's input, made by chance: one of each type that its types know. */
import type { ResponseInputContent, ResponseInputItem } from "openai/resources/responses/responses"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { functionTool, group } from "./response-tools.ts"
import { pdf, png, toolNames, type Words } from "./Words.ts"

const parts: { readonly [T in ResponseInputContent["type"]]: (words: Words) => JsonObject } = {
  input_text: (words) => ({ type: "input_text", text: words.textOrBlank() }),
  input_image: (words) => ({
    type: "input_image",
    image_url: words.pick([`data:image/png;base64,${png}`, "https://example.com/a.png"]),
    detail: words.pick(["auto", "low", "high", "original"])
  }),
  input_file: (words) => ({
    type: "input_file",
    ...words.pick<JsonObject>([
      { filename: "a.pdf", file_data: `data:application/pdf;base64,${pdf}` },
      { file_url: "https://example.com/a.pdf" }
    ])
  })
}
const ofUsers = ["input_text", "input_text", "input_text", "input_image", "input_file"] as const

const content = (words: Words): string | Array<JsonObject> =>
  words.chance(0.5) ? words.text() : words.some(1, 3, () => parts[words.pick(ofUsers)](words))

const output = (words: Words): string | Array<JsonObject> =>
  words.chance(0.7)
    ? words.textOrBlank()
    : words.some(0, 2, () => parts[words.pick(["input_text", "input_image"] as const)](words))

let ids = 0
const newId = (words: Words): string =>
  words.pick([`call_${++ids}`, `toolu_${++ids}`, `functions.f:${++ids}`, `${"long_".repeat(12)}${++ids}`])

const status = "completed"
export type ItemType =
  | NonNullable<Exclude<ResponseInputItem, ResponseInputItem.ItemReference>["type"]>
  | "item_reference"

/** Calls of functions and custom tools, and what they came to, are made in pairs. */
export const items: { readonly [T in ItemType]: (words: Words) => ReadonlyArray<JsonObject> } = {
  message: (words) => [
    words.pick<() => JsonObject>([
      () => ({ role: "user", content: content(words) }),
      () => ({ type: "message", role: "user", content: content(words), status }),
      () => ({ role: words.pick(["system", "developer"]), content: words.textOrBlank() }),
      () => ({ role: "assistant", content: words.textOrBlank() }),
      () => ({
        type: "message",
        id: `msg_${++ids}`,
        role: "assistant",
        status,
        ...words.maybe(0.3, () => ({ phase: words.pick(["commentary", "final_answer", null]) })),
        content: words.some(1, 2, () =>
          words.chance(0.8)
            ? { type: "output_text", text: words.textOrBlank(), annotations: [] }
            : { type: "refusal", refusal: words.text() }
        )
      })
    ])()
  ],
  function_call: (words) => pair(words, "function_call", { name: words.pick(toolNames) }),
  custom_tool_call: (words) => pair(words, "custom_tool_call", { name: "patch" }),
  function_call_output: (words) => pair(words, "function_call", { name: "f", namespace: "crm" }),
  custom_tool_call_output: (words) => pair(words, "custom_tool_call", { name: "patch", namespace: "crm" }),
  reasoning: () => [
    { type: "reasoning", id: `rs_${++ids}`, summary: [{ type: "summary_text", text: "hm" }] },
    { type: "reasoning", id: `rs_${++ids}`, summary: [], encrypted_content: "gAAAA" }
  ],
  file_search_call: (words) => [
    {
      type: "file_search_call",
      id: `fs_${++ids}`,
      queries: [words.text()],
      status,
      results: words.pick([null, [{ text: words.text(), filename: "a" }]])
    }
  ],
  web_search_call: (words) => [
    {
      type: "web_search_call",
      id: `ws_${++ids}`,
      status,
      action: { type: "search", query: words.text(), queries: [] }
    }
  ],
  computer_call: (words) => {
    const call_id = newId(words)
    const image_url = `data:image/png;base64,${png}`
    return [
      {
        type: "computer_call",
        id: `cu_${++ids}`,
        call_id,
        pending_safety_checks: [],
        status,
        action: { type: "screenshot" }
      },
      { type: "computer_call_output", call_id, output: { type: "computer_screenshot", image_url } }
    ]
  },
  computer_call_output: (words) => items.computer_call(words),
  tool_search_call: (words) => {
    const call_id = newId(words)
    return [
      { type: "tool_search_call", call_id, arguments: { query: words.text() }, execution: "client", status },
      {
        type: "tool_search_output",
        call_id,
        tools: [functionTool(words, "found")],
        execution: "client",
        status
      }
    ]
  },
  tool_search_output: (words) => items.tool_search_call(words),
  additional_tools: (words) => [
    { type: "additional_tools", role: "developer", tools: [functionTool(words, "added"), group(words)] }
  ],
  configuration_update: () => [{ type: "configuration_update", reasoning: { effort: "low" } }],
  compaction: () => [{ type: "compaction", id: `cmp_${++ids}`, encrypted_content: "gAAAA" }],
  image_generation_call: (words) => [
    { type: "image_generation_call", id: `ig_${++ids}`, result: png, status, revised_prompt: words.text() }
  ],
  code_interpreter_call: (words) => [
    {
      type: "code_interpreter_call",
      id: `ci_${++ids}`,
      code: words.text(),
      container_id: "cntr_1",
      outputs: words.pick([null, [{ type: "logs", logs: words.text() }]]),
      status
    }
  ],
  local_shell_call: (words) => [
    {
      type: "local_shell_call",
      id: `lsh_${++ids}`,
      call_id: newId(words),
      action: { type: "exec", command: ["ls", words.text()], env: {} },
      status
    }
  ],
  local_shell_call_output: (words) => [
    { type: "local_shell_call_output", id: `lsh_${++ids}`, output: words.text() }
  ],
  shell_call: (words) => {
    const call_id = newId(words)
    const outcome = { type: "exit", exit_code: 1 }
    return [
      { type: "shell_call", call_id, action: { commands: [words.text()] }, status },
      { type: "shell_call_output", call_id, output: [{ stdout: words.text(), stderr: "", outcome }] }
    ]
  },
  shell_call_output: (words) => items.shell_call(words),
  apply_patch_call: (words) => {
    const call_id = newId(words)
    const operation = { type: "update_file", path: "a", diff: words.text() }
    return [
      { type: "apply_patch_call", call_id, operation, status },
      { type: "apply_patch_call_output", call_id, status, output: words.text() }
    ]
  },
  apply_patch_call_output: (words) => items.apply_patch_call(words),
  mcp_list_tools: () => [
    {
      type: "mcp_list_tools",
      id: `mcpl_${++ids}`,
      server_label: "s",
      tools: [{ name: "t", input_schema: {} }]
    }
  ],
  mcp_approval_request: (words) => [
    {
      type: "mcp_approval_request",
      id: `mcpr_${++ids}`,
      server_label: "s",
      name: "t",
      arguments: words.text()
    }
  ],
  mcp_approval_response: (words) => [
    { type: "mcp_approval_response", approval_request_id: "mcpr_1", approve: true, reason: words.text() }
  ],
  mcp_call: (words) => [
    {
      type: "mcp_call",
      id: `mcp_${++ids}`,
      server_label: "s",
      name: "t",
      arguments: "{}",
      output: words.text(),
      status
    }
  ],
  program: (words) => [
    { type: "program", id: `pr_${++ids}`, call_id: "p", code: words.text(), fingerprint: "x" },
    { type: "program_output", id: `po_${++ids}`, call_id: "p", result: words.text(), status }
  ],
  program_output: (words) => items.program(words),
  compaction_trigger: () => [{ type: "compaction_trigger" }],
  item_reference: () => [{ type: "item_reference", id: "msg_1" }]
}

const pair = (words: Words, type: string, more: JsonObject): ReadonlyArray<JsonObject> => {
  const call_id = newId(words)
  const said = words.chance(0.8)
    ? JSON.stringify({ a: words.text() })
    : words.pick(["", "{}", "[1]", '{"a":'])
  const asked = type === "function_call" ? { arguments: said } : { input: words.textOrBlank() }
  return [
    { type, call_id, ...asked, ...more, ...words.maybe(0.1, () => ({ caller: { type: "direct" } })) },
    { type: `${type}_output`, call_id, output: output(words) }
  ]
}
