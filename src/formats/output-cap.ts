/** Where a request says how long the answer may become, and how to say something else there. */
import type { Model } from "../domain/catalogue.ts"
import { capNames, chatCapNames } from "../domain/output-cap-names.ts"
import { refuse } from "./json/fields.ts"
import { isAbsent, type JsonObject, objectOf } from "./json/json.ts"
import { responsesCapMin } from "./responses/request.ts"
import { type Member, memberNamed } from "./json/scan.ts"
import { addMember, type Edit, editValue, removeMembers } from "./json/splice.ts"

/** Plain data: it crosses threads. */
export interface OutputCap {
  /** Tokens of one answer at most: what was asked for, never more than the model can give. */
  readonly tokens: number
  /** They make the body say it, but for the number. */
  readonly edits: ReadonlyArray<Edit>
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

/** Where an upstream's body says how long the answer may become. Refuses what some provider could take for a larger cap. */
export type FindOutputCap = (model: Model, body: JsonObject, members: ReadonlyArray<Member>) => OutputCap

export const messagesCap: FindOutputCap = (model, body, members) =>
  namedCap(model, body, members, {
    field: "max_tokens",
    names: ["max_tokens"],
    least: 0,
    leastSent: 1,
    lowersToModel: true
  })

export const chatCap: FindOutputCap = (model, body, members) =>
  namedCap(model, body, members, {
    // A provider that does not know the name would not heed the cap, or refuse it.
    field: model.upstream.outputCapField,
    names: chatCapNames,
    least: 1,
    leastSent: 1,
    lowersToModel: true
  })

export const responsesCap: FindOutputCap = (model, body, members) =>
  namedCap(model, body, members, {
    field: "max_output_tokens",
    names: ["max_output_tokens"],
    least: 1,
    leastSent: responsesCapMin,
    lowersToModel: false
  })

/** Whether a client says itself how long the answer may become. */
export const asksForCap = (body: JsonObject): boolean => capNames.some((name) => !isAbsent(body[name]))

/** A provider that knows another protocol's name, too, may heed a larger cap under that. */
const refuseOtherCaps = (body: JsonObject, names: ReadonlyArray<string>, tokens: number): void => {
  for (const name of capNames) {
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
  readonly lowersToModel: boolean
}

const namedCap = (
  model: Model,
  body: JsonObject,
  members: ReadonlyArray<Member>,
  { field, least, leastSent, lowersToModel, names }: NamedCap
): OutputCap => {
  const modelMax = outputMaxOf(model)
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
    edits: editsOf(members, names, field),
    // A model that refuses the name refuses it with null too. Of a cap that is there twice it may heed the other one.
    mustWrite: misnamed || tooLarge || present.length > 1,
    isAsked,
    least: Math.min(leastSent, tokens)
  }
}

/** The first of the members that say a cap says it, under its right name; the others go. */
const editsOf = (
  members: ReadonlyArray<Member>,
  names: ReadonlyArray<string>,
  field: string
): ReadonlyArray<Edit> => {
  const first = members.find(({ name }) => names.includes(name))
  if (first === undefined) return [addMember(members, field, numberPlace)]
  const { name, nameEnd, nameStart } = first
  const renamed = name === field ? [] : [{ start: nameStart, end: nameEnd, text: JSON.stringify(field) }]
  const removed = removeMembers(members, (member) => member !== first && names.includes(member.name))
  return [editValue(first, numberPlace), ...renamed, ...removed]
}

/** Converse keeps the cap inside `inferenceConfig`, which is always written by conversion. */
export const converseCap: FindOutputCap = (model, body, members) => {
  const modelMax = outputMaxOf(model)
  const config = objectOf(body.inferenceConfig)
  const { maxTokens: asked } = config
  const isAsked = typeof asked === "number"
  const tokens = isAsked ? Math.min(asked, modelMax) : modelMax
  const text = JSON.stringify({ ...config, maxTokens: "#" }).replace('"#"', numberPlace)
  const present = memberNamed(members, "inferenceConfig")
  const edit = present === undefined ? addMember(members, "inferenceConfig", text) : editValue(present, text)
  return { tokens, edits: [edit], mustWrite: isAsked && asked > modelMax, isAsked, least: 1 }
}

/** Stands for the number until it is known. No JSON contains this character outside strings. */
const numberPlace = "\u0000"

/** The edits that make the body say `tokens`; none when it says so already. A null that is only renamed stays null. */
export const capEdits = (cap: OutputCap, tokens: number): ReadonlyArray<Edit> => {
  const isLowered = tokens < cap.tokens
  if (!isLowered && !cap.mustWrite) return []
  const said = isLowered || cap.isAsked ? String(tokens) : "null"
  return cap.edits.map((edit) => ({ ...edit, text: edit.text.replace(numberPlace, said) }))
}
