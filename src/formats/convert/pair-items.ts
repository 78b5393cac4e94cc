/**
 * The items of a Responses input as OpenAI takes them: each call has one output, behind all that the model said in that
 * turn; an output without its call is told as text; a thought has something behind it that was made of it; and what was
 * said on the way to an answer is told from the answer.
 */
import type { Model } from "../../domain/catalogue.ts"
import type { JsonObject } from "../json/json.ts"
import { noResult, resultHeading } from "./TurnBuilder.ts"
import { UniqueNames } from "./UniqueNames.ts"

/** What the model said in a row, and what came back for its calls. */
interface Run {
  readonly said: Array<JsonObject>
  /** By the ids that the calls are sent under; what stands for one that has not come is there from the beginning. */
  readonly outputs: Map<string, JsonObject>
  isAnswered: boolean
  /** What else was said, by whoever, until the model spoke again. */
  readonly others: Array<JsonObject>
}

interface Calls {
  readonly run: Run
  readonly sent: Array<string>
  answered: number
}

export const pairItems = (items: ReadonlyArray<JsonObject>, model: Model): ReadonlyArray<JsonObject> => {
  const pairing = new Pairing()
  for (const item of items) pairing.read(item)
  const phased = knowsPhases(model)
  return pairing.runs.flatMap(({ others, outputs, said }) => {
    const kept = withoutLastThoughts(said)
    const told = phased ? kept.map((item) => inPhase(item, outputs.size > 0)) : kept
    return told.concat([...outputs.values()], others)
  })
}

/**
 * OpenAI's models from gpt-5.4 on, which the catalogue marks so, may take what was said before a call for the end of the
 * work and stop early. Source: developers.openai.com, "Using GPT-5.4", the phase parameter.
 */
const knowsPhases = ({ upstream }: Model): boolean => upstream.refuses.has("tools_with_reasoning")

const inPhase = (item: JsonObject, isBeforeCalls: boolean): JsonObject =>
  item.role === "assistant" ? { ...item, phase: isBeforeCalls ? "commentary" : "final_answer" } : item

class Pairing {
  readonly runs: Array<Run> = []
  readonly #calls = new Map<string, Calls>()
  /** Some models use an id again: no request holds so many of one that its number is longer. */
  readonly #ids = new UniqueNames((id, count) => `${id.slice(0, idLengthMax - 8)}_${count}`)

  read(item: JsonObject): void {
    if (isCall(item)) return this.#readCall(item)
    if (isOutput(item)) return this.#readOutput(item)
    const isModels = item.type === "reasoning" || item.role === "assistant"
    const run = this.#run(isModels)
    if (isModels) run.said.push(item)
    else run.others.push(item)
  }

  #readCall(item: JsonObject): void {
    const run = this.#run(true)
    const id = String(item.call_id)
    const sent = this.#ids.take(id)
    const known = this.#calls.get(id)
    if (known?.run === run) known.sent.push(sent)
    else this.#calls.set(id, { run, sent: [sent], answered: 0 })
    run.outputs.set(sent, { type: `${String(item.type)}_output`, call_id: sent, output: noResult })
    run.said.push({ ...item, call_id: sent })
  }

  #readOutput(item: JsonObject): void {
    const id = String(item.call_id)
    const calls = this.#calls.get(id)
    // One output too many replaces the last.
    const sent = calls?.sent[calls.answered++] ?? calls?.sent.at(-1)
    if (calls === undefined || sent === undefined) this.#run(false).others.push(asMessage(id, item))
    else {
      calls.run.outputs.set(sent, { ...item, call_id: sent })
      calls.run.isAnswered = true
    }
  }

  /** The last run, or a new one where the model speaks behind others. */
  #run(isModels: boolean): Run {
    const last = this.runs.at(-1)
    if (last !== undefined && !(isModels && (last.others.length > 0 || last.isAnswered))) return last
    const run: Run = { said: [], outputs: new Map(), others: [], isAnswered: false }
    this.runs.push(run)
    return run
  }
}

/** The longest call id that OpenAI takes. */
export const idLengthMax = 64

const isCall = ({ type }: JsonObject): boolean => type === "function_call" || type === "custom_tool_call"

const isOutput = ({ type }: JsonObject): boolean =>
  type === "function_call_output" || type === "custom_tool_call_output"

const asMessage = (id: string, { output }: JsonObject): JsonObject => ({
  type: "message",
  role: "user",
  content: [
    { type: "input_text", text: resultHeading(id) },
    ...(Array.isArray(output) ? output : [{ type: "input_text", text: output ?? "" }])
  ]
})

/** "Item of type 'reasoning' was provided without its required following item." */
const withoutLastThoughts = (said: ReadonlyArray<JsonObject>): ReadonlyArray<JsonObject> =>
  said.slice(0, said.findLastIndex(({ type }) => type !== "reasoning") + 1)
