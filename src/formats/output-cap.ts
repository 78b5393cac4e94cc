/** Where a request says how long the answer may become, and how to say something else there. */
import type { Model } from "../domain/catalogue.ts"
import { refuse } from "./json/fields.ts"
import { type JsonObject, objectOf } from "./json/json.ts"
import { responsesCapMin } from "./responses/request.ts"
import type { Member } from "./json/scan.ts"
import { addMember, type Edit, editValue, removeMembers } from "./json/splice.ts"

/** Plain data: it crosses threads. */
export interface OutputCap {
  /** Tokens of one answer at most: what was asked for, never more than the model can give. */
  readonly tokens: number
  /** What the body must say instead of what it says, if anything; `text` lacks the number. */
  readonly write: { readonly edit: Edit; readonly others: ReadonlyArray<Edit> } | undefined
  /** The body must be changed even if the wallet covers the whole cap. */
  readonly mustWrite: boolean
  /** The body says a number; else the provider chooses. */
  readonly isAsked: boolean
  /** Below this it may not be lowered. */
  readonly least: number
}

/** What a model without a stated maximum is taken to give at most, in tokens. */
const unstatedMax = 128_000

export const outputMaxOf = (model: Model): number => model.maxOutputTokens ?? unstatedMax

/** Refuses what some provider could take for a larger cap. */
export type FindOutputCap = (model: Model, body: JsonObject, members: ReadonlyArray<Member>) => OutputCap

export const messagesCap: FindOutputCap = (model, body, members) =>
  namedCap(members, body, {
    field: "max_tokens",
    names: ["max_tokens"],
    least: 0,
    leastSent: 1,
    modelMax: outputMaxOf(model),
    lowersToModel: true
  })

export const chatCap: FindOutputCap = (model, body, members) =>
  namedCap(members, body, {
    // A provider that does not know the name would not heed the cap, or refuse it.
    field: model.upstream.outputCapField,
    names: ["max_tokens", "max_completion_tokens"],
    least: 1,
    leastSent: 1,
    modelMax: outputMaxOf(model),
    lowersToModel: true
  })

export const responsesCap: FindOutputCap = (model, body, members) =>
  namedCap(members, body, {
    field: "max_output_tokens",
    names: ["max_output_tokens"],
    least: 1,
    leastSent: responsesCapMin,
    modelMax: outputMaxOf(model),
    lowersToModel: false
  })

/** What some provider or other calls it. */
const allNames = ["max_tokens", "max_completion_tokens", "max_output_tokens", "max_new_tokens"] as const

/** Whether a client says itself how long the answer may become. */
export const asksForCap = (body: JsonObject): boolean =>
  allNames.some((name) => body[name] !== undefined && body[name] !== null)

/** A provider that knows another protocol's name, too, may heed a larger cap under that. */
const refuseOtherCaps = (body: JsonObject, names: ReadonlyArray<string>, tokens: number): void => {
  for (const name of allNames) {
    const other = body[name] ?? 0
    if (!names.includes(name) && !(typeof other === "number" && other <= tokens))
      refuse(name, `is not known here, and more than the ${tokens} tokens that the answer may have`)
  }
}

interface NamedCap {
  /** What the upstream calls it. */
  readonly field: string
  /** What clients may call it. */
  readonly names: ReadonlyArray<string>
  /** The least that the protocol knows. What is no cap at all is the upstream's to refuse. */
  readonly least: number
  /** The least that the provider takes. */
  readonly leastSent: number
  readonly modelMax: number
  readonly lowersToModel: boolean
}

const namedCap = (
  members: ReadonlyArray<Member>,
  body: JsonObject,
  { field, least, leastSent, lowersToModel, modelMax, names }: NamedCap
): OutputCap => {
  let tokens = modelMax
  let tooLarge = false
  let isAsked = false
  for (const name of names) {
    const asked = body[name]
    if (typeof asked !== "number" || !Number.isInteger(asked) || asked < least) continue
    isAsked = true
    tokens = Math.min(tokens, asked)
    if (asked > modelMax) tooLarge = lowersToModel
  }
  refuseOtherCaps(body, names, tokens)
  const present = members.filter((member) => names.includes(member.name))
  const misnamed = present.some((member) => member.name !== field)
  return {
    tokens,
    write: writeCap(members, names, field),
    // A model that refuses the name refuses it with null too. Of a cap that is there twice it may heed the other one.
    mustWrite: misnamed || tooLarge || present.length > 1,
    isAsked,
    least: Math.min(leastSent, tokens)
  }
}

/** The first of the present members says it, under its right name; the others go. */
const writeCap = (
  members: ReadonlyArray<Member>,
  names: ReadonlyArray<string>,
  field: string
): { readonly edit: Edit; readonly others: ReadonlyArray<Edit> } => {
  const isCapMember = (member: Member) => names.includes(member.name)
  const first = members.find(isCapMember)
  if (first === undefined) return { edit: addMember(members, field, numberPlace), others: [] }
  const edit = editValue(first, numberPlace)
  const removed = removeMembers(members, (member) => member !== first && isCapMember(member))
  if (first.name === field) return { edit, others: removed }
  const renamed = { start: first.nameStart, end: first.nameEnd, text: JSON.stringify(field) }
  return { edit, others: [renamed, ...removed] }
}

/** Converse keeps the cap inside `inferenceConfig`, which is always written by conversion. */
export const converseCap: FindOutputCap = (model, body, members) => {
  const modelMax = outputMaxOf(model)
  const config = objectOf(body.inferenceConfig)
  const asked = config.maxTokens
  const tokens = typeof asked === "number" ? Math.min(asked, modelMax) : modelMax
  const text = JSON.stringify({ ...config, maxTokens: "#" }).replace('"#"', numberPlace)
  const present = members.find((member) => member.name === "inferenceConfig")
  const edit = present === undefined ? addMember(members, "inferenceConfig", text) : editValue(present, text)
  const isAsked = typeof asked === "number"
  return { tokens, write: { edit, others: [] }, mustWrite: isAsked && asked > modelMax, isAsked, least: 1 }
}

/** Stands for the number until it is known. No JSON contains this character outside strings. */
const numberPlace = "\u0000"

/** The edits that make the body say `tokens`; none when it says so already. A null that is only renamed stays null. */
export const capEdits = (cap: OutputCap, tokens: number): ReadonlyArray<Edit> => {
  const isLowered = tokens < cap.tokens
  if (cap.write === undefined || !(isLowered || cap.mustWrite)) return []
  const { edit, others } = cap.write
  const said = isLowered || cap.isAsked ? String(tokens) : "null"
  return [{ ...edit, text: edit.text.replace(numberPlace, said) }, ...others]
}
