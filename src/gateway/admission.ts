/** How much of a wallet a call must set aside before it may go upstream, and what the answer means. */
import { Effect, Exit } from "effect"
import { freeEndpoints } from "../domain/call.ts"
import type { KeyRules } from "../domain/key-settings.ts"
import type { MicroVnd } from "../domain/money.ts"
import { callCost, nothingBeyond, type Price, type TokenRate, tokensCost } from "../domain/price.ts"
import { noUsage } from "../domain/usage.ts"
import type { Demand, RefusedAdmission } from "../ledger/bridge/protocol.ts"
import { flatMapAtOnce } from "./at-once.ts"
import type { IdentifiedCall } from "./Call.ts"
import {
  budgetSpent,
  type CallError,
  inMaintenance,
  insufficientBalance,
  ledgerUnavailable,
  notAuthenticated,
  rateLimited,
  restarting
} from "./CallError.ts"
import type { GatewayShape } from "./Gateway.ts"
import { type HoldTerms, plainHold } from "./hold-terms.ts"
import { refusalByRules } from "./key-rules.ts"

/** The hold of a call at a fixed price. */
export const fixedDemand = (price: Price, units: number, { besides, factor } = plainHold): Demand => {
  const cost = callCost(price, noUsage, units, { ...nothingBeyond, factor }) + besides
  return { minimum: cost, wanted: cost }
}

/** By tokens. */
export type TokenHold = HoldTerms & { readonly rate: TokenRate }

/** The hold of a call by tokens: all of the input, and `outputTokens` of output or whatever is there, at least `least`. */
export const tokenDemand = (
  { besides, rate }: TokenHold,
  inputTokens: number,
  outputTokens: number,
  least = 1
): Demand => ({
  minimum: tokensCost(rate, inputTokens + least) + besides,
  wanted: tokensCost(rate, inputTokens + Math.max(least, outputTokens)) + besides
})

/** How many output tokens a granted hold covers. */
export const coveredOutput = (
  { besides, rate: { denominator, numerator } }: TokenHold,
  inputTokens: number,
  granted: MicroVnd
): number =>
  numerator === 0n
    ? Number.MAX_SAFE_INTEGER
    : Number(((granted - besides) * denominator) / numerator - BigInt(inputTokens))

/**
 * Before anything of a call is read, parsed or converted: a key that is revoked and a wallet without money cost us no
 * more than this question. Counting tokens is free.
 */
export const mayBegin = (gateway: GatewayShape, call: IdentifiedCall): Effect.Effect<void, CallError> => {
  const { ledger, models } = gateway
  const checked = freeEndpoints.has(call.endpoint)
    ? ledger.check(call.identity)
    : ledger.checkFunds(call.identity, call.id)
  return flatMapAtOnce(checked, (answer) =>
    answer._tag === "Admitted"
      ? keepsTo(answer.rules, call, undefined)
      : Effect.fail(refusalOf(answer, models.settings().publicUrl))
  )
}

/** What is set on its key may have changed since it began. */
const keepsTo = <A>(
  rules: KeyRules | undefined,
  call: IdentifiedCall,
  allowed: A
): Effect.Effect<A, CallError> => {
  if (rules === undefined) return Exit.succeed(allowed)
  call.rules = rules
  const refusal = refusalByRules(rules, call)
  return refusal === undefined ? Exit.succeed(allowed) : Effect.fail(refusal)
}

/** Asks the ledger; answers the µVND it holds for the call. */
export const admit = (
  { ledger, models }: GatewayShape,
  call: IdentifiedCall,
  demand: Demand
): Effect.Effect<MicroVnd, CallError> =>
  flatMapAtOnce(ledger.admitUnsafe(call.identity, call, demand), (answer) =>
    answer._tag === "Admitted"
      ? keepsTo(answer.rules, call, answer.granted)
      : Effect.fail(refusalOf(answer, models.settings().publicUrl))
  )

export const refusalOf = (answer: RefusedAdmission, publicUrl: string): CallError => {
  switch (answer._tag) {
    case "Revoked":
      return notAuthenticated("This API key has been revoked, or its account is disabled.")
    case "Paused":
      return notAuthenticated("This API key is paused.")
    case "Expired":
      return notAuthenticated("This API key has expired.")
    case "OverBudget":
      return budgetSpent(publicUrl, answer.of, answer.resetsAtMs)
    case "Insufficient":
      return insufficientBalance(publicUrl)
    case "Limited":
      return rateLimited(answer.retryAfterMs)
    case "Maintenance":
      return inMaintenance(answer.message)
    case "Draining":
      return restarting()
    case "Unavailable":
      return ledgerUnavailable()
  }
}
