/** Admission of a text call: what it holds, and how much output that covers. */
import { Effect } from "effect"
import type { Prepared } from "../compute/prepare-call.ts"
import type { MicroVnd } from "../domain/money.ts"
import { admit, coveredOutput, fixedDemand, tokenDemand, type TokenHold } from "./admission.ts"
import { comparedField, type StoredReference } from "../formats/stored-ids.ts"
import { flatMapAtOnce } from "./at-once.ts"
import type { IdentifiedCall, ResolvedCall } from "./Call.ts"
import { CallError, invalidRequest, ledgerUnavailable } from "./CallError.ts"
import { checkOthers } from "./check-others.ts"
import type { GatewayShape } from "./Gateway.ts"
import { hashStoredId } from "./hash-stored-id.ts"
import { type HoldTerms, holdTermsOf } from "./hold-terms.ts"

export interface Admitted {
  /** µVND held for the call. */
  readonly granted: MicroVnd
  /** Tokens of input that the hold covers: the body's, and what it continues. */
  readonly inputTokens: number
  /** Output cap to send upstream; lowered where the wallet does not cover all that was asked for. */
  readonly cap: number
  /** What the hold is reckoned by. */
  readonly terms: HoldTerms
}

export const admitText = (
  gateway: GatewayShape,
  call: ResolvedCall,
  prepared: Prepared
): Effect.Effect<Admitted, CallError> =>
  flatMapAtOnce(checkOthers(call, prepared), () =>
    flatMapAtOnce(continuedTokens(gateway, call, prepared), (continued) => {
      const inputTokens = prepared.inputBound + continued
      const terms = holdTermsOf(call, prepared, inputTokens)
      const { rate } = terms
      return rate === undefined
        ? admitPerRequest(gateway, call, terms, { inputTokens, prepared })
        : admitPerToken(gateway, call, { ...terms, rate }, { inputTokens, prepared })
    })
  )

interface Input {
  readonly inputTokens: number
  readonly prepared: Prepared
}

const admitPerRequest = (
  gateway: GatewayShape,
  call: ResolvedCall,
  terms: HoldTerms,
  { inputTokens, prepared }: Input
) =>
  flatMapAtOnce(admit(gateway, call, fixedDemand(call.model.price, 1, terms)), (granted) =>
    Effect.succeed<Admitted>({ granted, inputTokens, cap: prepared.cap.tokens, terms })
  )

const admitPerToken = (
  gateway: GatewayShape,
  call: IdentifiedCall,
  terms: TokenHold,
  { inputTokens, prepared }: Input
) => {
  const { answers, cap, stream, thinkingBeyondCap } = prepared
  const each = cap.tokens + thinkingBeyondCap
  const outputMax = each * answers
  const wanted = stream ? Math.min(gateway.models.settings().limits.holdOutputTokens, outputMax) : outputMax
  const demand = tokenDemand(terms, inputTokens, wanted, stream ? 1 : cap.least)
  return flatMapAtOnce(admit(gateway, call, demand), (granted) => {
    // A stream is metered as it runs; an answer that comes whole must be covered whole.
    const covered = Math.floor(coveredOutput(terms, inputTokens, granted) / answers)
    // Of what is covered in part, the answer and the thoughts have their shares.
    const share = covered >= each ? cap.tokens : Math.floor((covered * cap.tokens) / each)
    const sent = stream ? cap.tokens : Math.min(cap.tokens, Math.max(cap.least, share))
    return Effect.succeed<Admitted>({ granted, inputTokens, cap: sent, terms })
  })
}

/** Tokens recorded for the stored things a call builds upon; they must be the account's own. */
const continuedTokens = (
  gateway: GatewayShape,
  call: IdentifiedCall,
  prepared: Prepared
): Effect.Effect<number, CallError> => {
  const { referenced, referencedItems } = prepared
  if (referenced.length === 0 && referencedItems.length === 0) return Effect.succeed(0)
  return Effect.map(
    Effect.all([continuedAnswers(gateway, call, referenced), continuedItems(gateway, call, referencedItems)]),
    ([answers, items]) => answers + items
  )
}

const continuedAnswers = (
  gateway: GatewayShape,
  call: IdentifiedCall,
  referenced: ReadonlyArray<StoredReference>
): Effect.Effect<number, CallError> =>
  Effect.map(
    Effect.forEach(referenced, ({ field, id }) =>
      gateway.ledger.storedCall(call.identity.accountId, hashStoredId(id)).pipe(
        Effect.mapError(ledgerUnavailable),
        Effect.filterOrFail(
          (tokens) => tokens !== undefined,
          () => unknownStoredId(field, id)
        ),
        // Nothing of it is read again.
        Effect.map((tokens) => (field === comparedField ? 0 : tokens))
      )
    ),
    (tokens) => tokens.reduce((sum, each) => sum + each, 0)
  )

const continuedItems = (
  gateway: GatewayShape,
  call: IdentifiedCall,
  ids: ReadonlyArray<string>
): Effect.Effect<number, CallError> => {
  if (ids.length === 0) return Effect.succeed(0)
  return gateway.ledger.storedItems(call.identity.accountId, ids.map(hashStoredId)).pipe(
    Effect.mapError(ledgerUnavailable),
    Effect.flatMap(({ missing, tokens }) =>
      missing === undefined ? Effect.succeed(tokens) : Effect.fail(unknownItem(ids[missing]!))
    )
  )
}

const unknownItem = (id: string): CallError =>
  new CallError({ ...notFound, message: `Item with id '${id.slice(0, 100)}' not found.`, param: "input" })

/** What is somebody else's looks like what does not exist, in the words and codes that each protocol's clients know. */
const unknownStoredId = (field: string, id: string): CallError => {
  const shown = id.slice(0, 100)
  switch (field) {
    case "previous_response_id":
      return new CallError({
        ...notFound,
        message: `Previous response with id '${shown}' not found.`,
        param: field,
        code: "previous_response_not_found"
      })
    case comparedField:
      return new CallError({ ...notFound, message: `Response with id '${shown}' not found.`, param: field })
    case "thread.previous_message_id":
      return invalidRequest(`${field}: '${shown}' was not found.`, field, { error_code: "thread_not_found" })
    default:
      return new CallError({
        ...notFound,
        message: `Conversation with id '${shown}' not found.`,
        param: "conversation",
        code: "conversation_not_found"
      })
  }
}

const notFound = { status: 400, type: "invalid_request_error" } as const
