/** The conversation of a Messages request as Converse's `system` and `messages`, where turns alternate. */
import { withSteadyBillingLine } from "../../messages/billing-line.ts"
import { objectAt, refuse, stringAt } from "../../json/fields.ts"
import type { JsonObject } from "../../json/json.ts"
import { readableMessages } from "../foreign-blocks.ts"
import { pairedResults } from "../paired-results.ts"
import { opening } from "../messages-to-chat/content.ts"
import { wordsFirst } from "../words-first.ts"
import { type BlockGroup, converseBlocks, type ConverseRequestContext, textBlocks } from "./content.ts"

interface Turn {
  readonly role: "user" | "assistant"
  readonly groups: Array<BlockGroup>
}

export const converseTurns = (body: JsonObject, context: ConverseRequestContext) => {
  const prompt = withSteadyBillingLine(body.system) ?? []
  const system = converseBlocks(prompt, "system", context).flat()
  const turns: Array<Turn> = []
  const add = (role: Turn["role"], groups: ReadonlyArray<BlockGroup>): void => {
    if (groups.length === 0) return
    const last = turns.at(-1)
    if (last?.role === role) {
      for (const group of groups) last.groups.push(group)
    } else turns.push({ role, groups: [...groups] })
  }
  for (const [index, value] of pairedResults(readableMessages(body))) {
    const field = `messages.${index}`
    const message = objectAt(value, field)
    const role = stringAt(message.role, `${field}.role`)
    const isSystem = role === "system" || role === "developer"
    // A system message may do no more than set the effort of what follows.
    const content = isSystem ? (message.content ?? []) : message.content
    const groups = converseBlocks(content, `${field}.content`, context)
    if (!isSystem) add(role === "assistant" ? "assistant" : "user", groups)
    else if (turns.length === 0) {
      for (const block of groups.flat()) system.push(block)
    }
    // Converse knows no system prompt between turns: there it is told in the user's turn, where it stands.
    else add("user", groups.map(asInstruction))
  }
  if (turns.length === 0) refuse("messages", "hold nothing to answer")
  // "A conversation must start with a user message" (deepgram/deepgram-python-sdk #760); some start with a greeting.
  if (turns[0]!.role === "assistant") turns.unshift({ role: "user", groups: [[{ text: opening }]] })
  return { system, messages: turns.map(({ role, groups }) => ({ role, content: contentOf(role, groups) })) }
}

const asInstruction = (group: BlockGroup): BlockGroup =>
  group.flatMap((block) =>
    typeof block.text === "string" ? textBlocks(`<system>\n${block.text}\n</system>`) : [block]
  )

const contentOf = (role: Turn["role"], groups: ReadonlyArray<BlockGroup>): ReadonlyArray<JsonObject> => {
  if (role === "assistant")
    return wordsFirst(
      groups.flat(),
      ({ toolUse }) => toolUse !== undefined,
      ({ text }) => text !== undefined
    )
  // Results must come before anything else that is said after the calls.
  const isResult = ([block]: BlockGroup): boolean => block?.toolResult !== undefined
  const content = [...groups.filter(isResult), ...groups.filter((group) => !isResult(group))].flat()
  const documents = content.filter((block) => block.document !== undefined)
  // A turn with documents must hold some text.
  return documents.length === 0 || content.some((block) => block.text !== undefined)
    ? content
    : [...content, { text: documents.length === 1 ? "(see the document)" : "(see the documents)" }]
}
