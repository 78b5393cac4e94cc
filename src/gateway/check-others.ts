/** The models beside the called one that a request has read and write: those that its tools ask, and those that may answer instead. */
import { type Effect, Exit } from "effect"
import type { Prepared } from "../compute/prepare-call.ts"
import type { Model } from "../domain/catalogue.ts"
import type { ResolvedCall, Sold } from "./Call.ts"
import { type CallError, modelNotFound } from "./CallError.ts"
import { findOtherModel } from "./find-other-model.ts"

/** Notes which they are, for what is set on the key. One that is taken off the list is there for nobody, nor as another's helper. */
export const checkOthers = (
  call: ResolvedCall,
  { fallbacks, hostedTools }: Pick<Prepared, "fallbacks" | "hostedTools">
): Effect.Effect<void, CallError> => {
  if (fallbacks.length === 0 && hostedTools.length === 0) return Exit.void
  const { model, sold } = call
  const names = [...fallbacks, ...hostedTools.flatMap(({ asks }) => asks?.model ?? [])]
  const others = names.filter((name) => name !== "" && name !== model.upstream.model)
  const withdrawn = others.find((name) => isWithdrawn(sold, model, name))
  if (withdrawn !== undefined) return Exit.fail(modelNotFound(withdrawn))
  call.others = others.map((name) => findOtherModel(sold, model, name)?.id ?? name)
  return Exit.void
}

const isWithdrawn = ({ models, withdrawn }: Sold, called: Model, name: string): boolean => {
  if (withdrawn.length === 0) return false
  const found = findOtherModel({ models: [...models, ...withdrawn] }, called, name)
  return withdrawn.some(({ id }) => id === found?.id)
}
