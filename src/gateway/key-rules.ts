/** Whether a call keeps to what is set on its key. Only who has the key is told what that is. */
import { isWithin } from "../config/is-within.ts"
import { isModelAllowed, type KeyRules } from "../domain/key-settings.ts"
import type { Call } from "./Call.ts"
import { type CallError, notPermitted } from "./CallError.ts"

/** Of what is known of the call so far; `undefined`: nothing forbids it. */
export const refusalByRules = (
  rules: KeyRules,
  { client, endpoint, model, others }: Pick<Call, "client" | "endpoint" | "model" | "others">
): CallError | undefined => {
  const refusal = refusalOfPlace(rules, client.address)
  if (refusal !== undefined) return refusal
  if (rules.endpoints?.includes(endpoint) === false) {
    const allowed = rules.endpoints.join(", ")
    return notPermitted(`This API key may not be used for ${endpoint}, only for: ${allowed}.`)
  }
  const forbidden = [...(model === undefined ? [] : [model.id]), ...others].find(
    (id) => !isModelAllowed(rules, id)
  )
  if (forbidden === undefined) return undefined
  const allowed = rules.models?.join(", ")
  return notPermitted(`This API key may not call ${forbidden}, only: ${allowed}.`, "model")
}

export const refusalOfPlace = ({ allowedIps }: KeyRules, address: string): CallError | undefined =>
  allowedIps === undefined || allowedIps.some((range) => isWithin(address, range))
    ? undefined
    : notPermitted(`This API key may not be used from ${address}, only from: ${allowedIps.join(", ")}.`)
