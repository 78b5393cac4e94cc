/** Inputs that the documentation of Responses allows, the odd ones: items, calls, outputs. */
import {
  png,
  pdf,
  f,
  g,
  patch,
  group,
  hi,
  call,
  output,
  customCall,
  customOutput,
  said,
  user,
  text,
  answers,
  allowed
} from "./parts.ts"

export const inputs = allowed({
  "a text": { input: "hi" },
  "a text of one letter": { input: "x" },
  "an item without a type": { input: [hi] },
  "parts of text": { input: user(text("a"), text("b")) },
  "instructions, and system and developer items in between": {
    instructions: "I",
    input: [{ role: "system", content: "S" }, hi, said("a"), { role: "developer", content: "D" }, hi]
  },
  "nothing but a developer's word": { input: [{ role: "developer", content: "D" }] },
  "a conversation that the model began": { input: [said("Hello!"), hi] },
  "a conversation that the model has to go on with": { input: [hi, said("and")] },
  "users in a row": { input: [hi, hi, hi] },
  "models in a row": { input: [hi, said("a"), said("b"), hi] },
  "an assistant's text as a string": { input: [hi, { role: "assistant", content: "a" }, hi] },
  "a refusal": {
    input: [hi, { ...said(""), content: [{ type: "refusal", refusal: "No." }] }, hi]
  },
  phases: { input: [hi, said("a", { phase: "commentary" }), said("b", { phase: "final_answer" }), hi] },
  "ids and statuses": { input: [hi, said("a", { id: "msg_1", status: "completed" }), hi] },
  "an image by address": { input: user(text("?"), { type: "input_image", image_url: png, detail: "high" }) },
  "an image without detail": { input: user({ type: "input_image", image_url: png }) },
  "a file as data": { input: user({ type: "input_file", filename: "a.pdf", file_data: pdf }) },
  "a text file": {
    input: user({ type: "input_file", filename: "a.txt", file_data: "data:text/plain;base64,aGk=" })
  },
  "another configuration on the way": {
    input: [hi, { type: "configuration_update", reasoning: { effort: "low" } }, said("a"), hi]
  },
  "emoji, NUL and lone halves": { input: "\ud83d\ude00 \u0000 \ud83d" },
  "line ends alone between words": { input: "\n\nhi\n\n" }
})

export const calls = allowed({
  "a call and its output": { tools: [f], input: [hi, call, output] },
  "a call without tools": { input: [hi, call, output] },
  "an empty output": { tools: [f], input: answers("") },
  "an output of parts": { tools: [f], input: answers([text("a"), text("b")]) },
  "an output with an image": {
    tools: [f],
    input: answers([text("a"), { type: "input_image", image_url: png }])
  },
  "an output of no parts": { tools: [f], input: answers([]) },
  "an output of JSON": { tools: [f], input: answers('{"a":[1,2,{"b":null}]}') },
  "arguments that are no object": { tools: [f], input: [hi, { ...call, arguments: "[1]" }, output] },
  "arguments that are broken": { tools: [f], input: [hi, { ...call, arguments: '{"a":' }, output] },
  "empty arguments": { tools: [f], input: [hi, { ...call, arguments: "" }, output] },
  "calls at once": {
    tools: [f, g],
    input: [hi, call, { ...call, id: "fc_2", call_id: "c3", name: "g" }, output, { ...output, call_id: "c3" }]
  },
  "calls at once, answered the other way round": {
    tools: [f],
    input: [hi, call, { ...call, id: "fc_2", call_id: "c3" }, { ...output, call_id: "c3" }, output]
  },
  "a word between call and output": { tools: [f], input: [hi, call, said("wait"), output] },
  "a call that is never answered": { tools: [f], input: [hi, call, hi] },
  "an output that nobody asked for": { tools: [f], input: [hi, output] },
  "an output before its call": { tools: [f], input: [hi, output, call] },
  "an output that comes twice": { tools: [f], input: [hi, call, output, output] },
  "an id that is used again": { tools: [f], input: [hi, call, output, hi, call, output] },
  "a long id": {
    tools: [f],
    input: [hi, { ...call, call_id: "c".repeat(64) }, { ...output, call_id: "c".repeat(64) }]
  },
  "an id with odd letters": {
    tools: [f],
    input: [hi, { ...call, call_id: "a:b/c d" }, { ...output, call_id: "a:b/c d" }]
  },
  "a custom call": { tools: [patch], input: [hi, customCall, customOutput] },
  "a custom call of nothing": { tools: [patch], input: [hi, { ...customCall, input: "" }, customOutput] },
  "a custom output of parts": {
    tools: [patch],
    input: [hi, customCall, { ...customOutput, output: [text("a")] }]
  },
  "both kinds of calls at once": { tools: [f, patch], input: [hi, call, customCall, customOutput, output] },
  "a call of a group": { tools: [group], input: [hi, { ...call, namespace: "crm" }, output] },
  "a call of a tool that is gone": { tools: [g], input: [hi, call, output] },
  "calls and outputs of hosted tools": {
    input: [
      hi,
      { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "q" } },
      { type: "shell_call", call_id: "s1", action: { commands: ["ls"] }, status: "completed" },
      {
        type: "shell_call_output",
        call_id: "s1",
        output: [{ stdout: "a", stderr: "", outcome: { type: "exit", exit_code: 0 } }]
      },
      {
        type: "code_interpreter_call",
        id: "ci_1",
        code: "1",
        container_id: "cntr_1",
        outputs: null,
        status: "completed"
      },
      hi
    ]
  },
  "an MCP server's tools and approvals": {
    input: [
      hi,
      { type: "mcp_list_tools", id: "mcpl_1", server_label: "s", tools: [{ name: "t", input_schema: {} }] },
      { type: "mcp_call", id: "mcp_1", server_label: "s", name: "t", arguments: "{}", output: "o" },
      hi
    ]
  },
  "a compaction": { input: [{ type: "compaction", id: "cmp_1", encrypted_content: "gAAAA" }, hi] },
  "reasoning of somebody else": {
    input: [hi, { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAAA" }, said("a"), hi]
  },
  "reasoning without anything": { input: [hi, { type: "reasoning", summary: [] }, said("a"), hi] },
  "reasoning that is told": {
    input: [
      hi,
      {
        type: "reasoning",
        summary: [{ type: "summary_text", text: "t" }],
        content: [{ type: "reasoning_text", text: "u" }]
      },
      said("a"),
      hi
    ]
  },
  "tools that an item brings along": {
    input: [{ type: "additional_tools", role: "developer", tools: [group] }, hi]
  },
  "tools that were searched for": {
    tools: [{ type: "tool_search", execution: "client" }],
    input: [
      hi,
      { type: "tool_search_call", call_id: "t1", arguments: {}, execution: "client", status: "completed" },
      { type: "tool_search_output", call_id: "t1", tools: [f], execution: "client", status: "completed" },
      { ...call },
      output
    ]
  }
})
