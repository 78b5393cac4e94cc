/** What the simulated model answers: text of the wished length, a tool call, JSON, a refusal; within the caller's cap. */
import { objectOf } from "../../formats/json/json.ts"
import { fillSchema } from "./fill-schema.ts"
import { jsonInPrompt } from "./json-in-words.ts"
import type { Ask, Stop, Thinking, ToolCall, ToolOffer, Turn, TurnUsage } from "./Turn.ts"
import {
  bigPieces,
  firstPieces,
  joinPieces,
  noPieces,
  type Pieces,
  piecesOf,
  spokenPieces,
  thoughtPieces
} from "./vocabulary.ts"

const greetingTokens = 24
const thoughtTokens = 12
const tokensPerCall = 8

/** Thought signatures are opaque and long; validation takes what looks like this. */
const signature = `Eu${"c1Mi9TaW11bGF0ZWRTaWduYXR1cmU".repeat(4)}==`
const redacted = `Em${"wKAhgBEgxSZWRhY3RlZFRob3VnaHRz".repeat(4)}==`

export const composeTurn = (ask: Ask): Turn => {
  const { settings } = ask
  if (settings.refuse) return refusal(ask)
  const budget = new Budget(settings.big === undefined ? ask.outputCap : undefined)
  const hidden = budget.take(settings.reasoning)
  const thinking = think(ask, budget)
  const offers = toolsToCall(ask)
  const { text, stopSequence } = speak(ask, offers.length > 0, budget)
  const calls = stopSequence === undefined ? offers.map((offer) => call(offer, ask, budget)) : []
  const stop: Stop = budget.exhausted
    ? "length"
    : stopSequence !== undefined
      ? "stop_sequence"
      : calls.length > 0
        ? "tool_use"
        : "end"
  return {
    thinking,
    text,
    calls,
    stop,
    stopSequence,
    usage: report(ask, budget.spent, hidden + (thinking?.pieces.count ?? 0))
  }
}

/** Output tokens as they are spent against the caller's cap. */
class Budget {
  spent = 0
  exhausted = false
  readonly #cap: number

  constructor(cap: number | undefined) {
    this.#cap = cap ?? Infinity
  }

  /** How many of `tokens` may still be produced. */
  take(tokens: number): number {
    const granted = Math.min(tokens, this.#cap - this.spent)
    if (granted < tokens) this.exhausted = true
    this.spent += granted
    return granted
  }
}

const take = (pieces: Pieces, budget: Budget): Pieces =>
  firstPieces(pieces, Math.floor(budget.take(pieces.count * pieces.tokensPerPiece) / pieces.tokensPerPiece))

const think = (ask: Ask, budget: Budget): Thinking | undefined => {
  const mode = ask.settings.thinking ?? (ask.thinking ? "on" : "off")
  if (mode === "off") return undefined
  const pieces = take(thoughtPieces(thoughtTokens), budget)
  if (pieces.count === 0) return undefined
  return mode === "redacted"
    ? { pieces: noPieces, signature: "", redacted }
    : { pieces, signature, redacted: undefined }
}

const toolsToCall = (ask: Ask): ReadonlyArray<ToolOffer> => {
  const { tool } = ask.settings
  return offersToCall(
    tool === undefined ? ask : { ...ask, tools: ask.tools.filter(({ name }) => name.endsWith(tool)) }
  )
}

const offersToCall = (ask: Ask): ReadonlyArray<ToolOffer> => {
  const { toolChoice, tools, settings } = ask
  if (tools.length === 0 || toolChoice === "none" || settings.tools === "none") return []
  if (typeof toolChoice === "object") return tools.filter((tool) => tool.name === toolChoice.name).slice(0, 1)
  const wished =
    ask.toolResult === undefined &&
    (settings.tools !== undefined || settings.tool !== undefined || /tool/i.test(ask.prompt))
  // Whoever must call one all the same calls the last: where there are several, agents have it take their answer.
  if (!wished) return toolChoice === "any" ? tools.slice(-1) : []
  const several = settings.tools !== undefined && settings.tools !== "one" && settings.tools !== "bundled"
  return several && ask.parallelTools ? [tools[0]!, tools[1] ?? tools[0]!] : [tools[0]!]
}

const inputOf = ({ isCustom, schema }: ToolOffer, given: string | undefined): string => {
  const text = given === undefined ? undefined : Buffer.from(given, "base64url").toString()
  if (isCustom === true) return text ?? customInput
  const filled = fillSchema(schema)
  if (text === undefined) return JSON.stringify(filled)
  const [name] = Object.keys(objectOf(filled))
  return text.startsWith("{") || name === undefined ? text : JSON.stringify({ [name]: text })
}

/** With quotes, line ends and letters of several bytes, as patches have them. */
const customInput = '*** Begin Patch\n*** Add File: chào.txt\n+"Xin chào"\\n\n*** End Patch\n'

const call = (offer: ToolOffer, ask: Ask, budget: Budget): ToolCall => {
  budget.take(tokensPerCall)
  return {
    id: ask.toolId(),
    name: offer.name,
    arguments: take(piecesOf(inputOf(offer, ask.settings.input)), budget),
    isCustom: offer.isCustom === true
  }
}

const speak = (ask: Ask, beforeTools: boolean, budget: Budget) => {
  const all = wholeText(ask, beforeTools)
  const cut = cutAtStop(all, ask.stopSequences)
  const text = take(cut?.text ?? all, budget)
  return { text, stopSequence: budget.exhausted ? undefined : cut?.stopSequence }
}

const wholeText = (ask: Ask, beforeTools: boolean): Pieces => {
  const { settings, toolResult, prefaceTokens } = ask
  if (settings.big !== undefined) return bigPieces(settings.big)
  if (settings.tokens !== undefined) return spokenPieces(settings.tokens)
  if (beforeTools) return spokenPieces(prefaceTokens)
  const json = ask.json ?? jsonInPrompt(ask.prompt)
  if (json !== undefined)
    return piecesOf(
      JSON.stringify(json.schema === undefined ? { answer: "simulated" } : fillSchema(json.schema))
    )
  return toolResult === undefined
    ? spokenPieces(greetingTokens)
    : piecesOf(`The tool answered: ${toolResult.slice(0, 200)}`)
}

const cutAtStop = (pieces: Pieces, stopSequences: ReadonlyArray<string>) => {
  if (stopSequences.length === 0) return undefined
  const text = joinPieces(pieces)
  let end = -1
  let found: string | undefined
  for (const stopSequence of stopSequences) {
    const index = stopSequence === "" ? -1 : text.indexOf(stopSequence)
    if (index === -1 || (end !== -1 && index >= end)) continue
    end = index
    found = stopSequence
  }
  return found === undefined ? undefined : { text: piecesOf(text.slice(0, end)), stopSequence: found }
}

const refusal = (ask: Ask): Turn => ({
  thinking: undefined,
  text: noPieces,
  calls: [],
  stop: "refusal",
  stopSequence: undefined,
  usage: report(ask, 5, 0)
})

/** No provider counts this high; whoever believes it bankrupts a customer. */
const absurd = 9_000_000_000_000

const report = ({ settings, inputTokens }: Ask, output: number, reasoning: number): TurnUsage | undefined => {
  switch (settings.usage) {
    case "none":
      return undefined
    case "zero":
      return { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 }
    case "absurd":
      return { input: absurd, cacheRead: 0, cacheWrite: 0, output: absurd, reasoning: 0 }
    default:
      return {
        input: inputTokens,
        cacheRead: settings.cacheRead,
        cacheWrite: settings.cacheWrite,
        output,
        reasoning
      }
  }
}
