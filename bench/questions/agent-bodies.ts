/**
 * What coding agents send: long instructions, some tools, and turns of a history in which the model called tools and read
 * files. Shaped as Claude Code (Messages), Codex (Responses) and opencode (chat) do it, and filled up to a size.
 */

export interface AgentBody {
  readonly model: string
  /** Of the whole body, nearly. */
  readonly bytes: number
  /** What the upstream is told of its answer. */
  readonly asks: string
}

/** Turns of the history; a 500 KB body has as many with longer results. */
const turns = 30
const toolNames = [
  "read_file",
  "write_file",
  "edit_file",
  "list_files",
  "search",
  "run_command",
  "fetch",
  "todo"
]

const sentence = "Read what is there before you change it, and keep to the style of the code around. "
const line = '  const found = await readFile(path, "utf8") // \\ and "quotes" as code has them\n'
const filled = (text: string, bytes: number): string =>
  text.repeat(Math.ceil(bytes / text.length)).slice(0, Math.max(0, bytes))

/** Bytes of a body that are neither instructions nor results: names, tools, punctuation. */
const frameBytes = 14_000
const instructionsBytes = 12_000

const toolSchema = (name: string) => ({
  type: "object",
  properties: {
    path: { type: "string", description: `Where ${name} is to work, from the root of the project.` },
    content: { type: "string", description: filled(sentence, 300) },
    limit: { type: "integer", minimum: 1, maximum: 2_000 }
  },
  required: ["path"],
  additionalProperties: false
})

const resultOf = (turn: number, bytes: number): string =>
  filled(
    line.replace("found", `found${turn}`),
    Math.max(200, (bytes - frameBytes - instructionsBytes) / turns / 1.06)
  )
const argumentsOf = (turn: number) => ({ path: `src/module-${turn}/file.ts`, limit: 200 + turn })
const saidOf = (turn: number): string => `Now I look at module ${turn}. ${sentence}`
const turnNumbers = Array.from({ length: turns }, (_, turn) => turn)

/** As Claude Code asks, with marks for the cache. */
export const messagesAgent = ({ asks, bytes, model }: AgentBody): string =>
  JSON.stringify({
    model,
    max_tokens: 32_000,
    stream: true,
    system: [
      { type: "text", text: "You are a coding agent." },
      { type: "text", text: filled(sentence, instructionsBytes), cache_control: { type: "ephemeral" } }
    ],
    tools: toolNames.map((name) => ({
      name,
      description: filled(sentence, 400),
      input_schema: toolSchema(name)
    })),
    messages: [
      { role: "user", content: [{ type: "text", text: "Mend the failing test." }] },
      ...turnNumbers.flatMap((turn) => [
        {
          role: "assistant",
          content: [
            { type: "text", text: saidOf(turn) },
            { type: "tool_use", id: `toolu_${turn}`, name: "read_file", input: argumentsOf(turn) }
          ]
        },
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: `toolu_${turn}`, content: resultOf(turn, bytes) }]
        }
      ]),
      {
        role: "user",
        content: [{ type: "text", text: asks, cache_control: { type: "ephemeral" } }]
      }
    ]
  })

/** As Codex asks: nothing stored, everything sent again. */
export const responsesAgent = ({ asks, bytes, model }: AgentBody): string =>
  JSON.stringify({
    model,
    instructions: filled(sentence, instructionsBytes),
    stream: true,
    store: false,
    tool_choice: "auto",
    parallel_tool_calls: false,
    include: ["reasoning.encrypted_content"],
    tools: toolNames.map((name) => ({
      type: "function",
      name,
      description: filled(sentence, 400),
      strict: false,
      parameters: toolSchema(name)
    })),
    input: [
      { type: "message", role: "user", content: [{ type: "input_text", text: "Mend the failing test." }] },
      ...turnNumbers.flatMap((turn) => [
        { type: "message", role: "assistant", content: [{ type: "output_text", text: saidOf(turn) }] },
        {
          type: "function_call",
          call_id: `call_${turn}`,
          name: "read_file",
          arguments: JSON.stringify(argumentsOf(turn))
        },
        { type: "function_call_output", call_id: `call_${turn}`, output: resultOf(turn, bytes) }
      ]),
      { type: "message", role: "user", content: [{ type: "input_text", text: asks }] }
    ]
  })

/** As opencode asks. */
export const chatAgent = ({ asks, bytes, model }: AgentBody): string =>
  JSON.stringify({
    model,
    stream: true,
    stream_options: { include_usage: true },
    tools: toolNames.map((name) => ({
      type: "function",
      function: { name, description: filled(sentence, 400), parameters: toolSchema(name) }
    })),
    messages: [
      { role: "system", content: filled(sentence, instructionsBytes) },
      { role: "user", content: "Mend the failing test." },
      ...turnNumbers.flatMap((turn) => [
        {
          role: "assistant",
          content: saidOf(turn),
          tool_calls: [
            {
              id: `call_${turn}`,
              type: "function",
              function: { name: "read_file", arguments: JSON.stringify(argumentsOf(turn)) }
            }
          ]
        },
        { role: "tool", tool_call_id: `call_${turn}`, content: resultOf(turn, bytes) }
      ]),
      { role: "user", content: asks }
    ]
  })
