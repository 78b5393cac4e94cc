/** What the conversion of an answer needs to know of its call. */
import type { ConversionContext } from "../formats/convert/conversion.ts"
import type { TextCall } from "./TextCall.ts"

export const contextOf = ({ call, prepared }: TextCall): ConversionContext => ({
  modelId: call.model.id,
  family: call.model.family,
  callId: call.id,
  now: Math.floor(call.dateMs / 1000),
  toolNames: new Map(prepared.toolNames),
  inputEstimate: prepared.inputGuess,
  choices: prepared.choices,
  ...prepared.asked
})
