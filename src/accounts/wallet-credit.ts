/** What a wallet has, and crediting or correcting it by hand. */
import { Effect, Schema } from "effect"
import { reasonLengthMax } from "../domain/field-limits.ts"
import type { AccountId } from "../domain/ids.ts"
import { formatVnd, type MicroVnd } from "../domain/money.ts"
import { Database } from "../storage/Database.ts"
import * as WalletStore from "../storage/WalletStore.ts"
import { AccountClosed, AccountNotFound, creditMax } from "./accounts.ts"
import { awaitNodes } from "./await-nodes.ts"
import { BadText, checkText } from "./check-text.ts"

export class CorrectionTooLarge extends Schema.TaggedError<CorrectionTooLarge>()("CorrectionTooLarge", {
  balanceVnd: Schema.String,
  heldVnd: Schema.String
}) {
  override get message() {
    const below = this.heldVnd === "0" ? "zero" : `the ${this.heldVnd} VND that calls under way hold`
    return `The balance is ${this.balanceVnd} VND, and the correction would take it below ${below}, which --force lets it`
  }
}

/** The name of a credit is that of another amount or of another account's. */
export class CreditRepeated extends Schema.TaggedError<CreditRepeated>()("CreditRepeated", {
  amountVnd: Schema.String
}) {
  override get message() {
    return `A credit of this name has been made already, of ${this.amountVnd} VND`
  }
}

/** What is held is known to the running nodes alone. */
export class HeldUnknown extends Schema.TaggedError<HeldUnknown>()("HeldUnknown", {
  nodeIds: Schema.Array(Schema.Int)
}) {
  override get message() {
    return `How much is held is not known: no answer from node ${this.nodeIds.join(", ")}`
  }
}

export interface WalletState {
  readonly balance: MicroVnd
  /** Set aside for calls under way, over all nodes. */
  readonly held: MicroVnd
}

/** `isRepeated`: the credit of that name had been booked before, and nothing was added. */
export interface Credited extends WalletState {
  readonly isRepeated: boolean
}

export const showWallet = Effect.fn("showWallet")(function* (accountId: AccountId) {
  const database = yield* Database
  const question = yield* database.run("ask held", (sql) => WalletStore.askHeld(sql, accountId))
  const held = yield* readHeld(question).pipe(
    Effect.catchTag("NodesNotConfirmed", ({ nodeIds }) => Effect.fail(new HeldUnknown({ nodeIds })))
  )
  const balance = yield* database.run("read balance", (sql) => WalletStore.readBalance(sql, accountId))
  if (balance === undefined) return yield* new AccountNotFound({ account: accountId })
  return { balance, held } satisfies WalletState
})

export interface CreditRequest {
  readonly accountId: AccountId
  /** Negative to correct an earlier credit. */
  readonly amount: MicroVnd
  readonly reason: string
  readonly actor: string
  /** Repeating a credit of the same name changes nothing; another one of that name is refused. */
  readonly creditId: string
  /** Let a correction take the balance below zero, and below what calls under way hold. */
  readonly force?: boolean
}

/** Once this returns, every node counts with the new balance. */
export const creditWallet = Effect.fn("creditWallet")(function* (request: CreditRequest) {
  const { accountId, actor, amount, creditId, force = false } = request
  const reason = checkText("reason", request.reason, reasonLengthMax)
  if (typeof reason !== "string") return yield* reason
  if (amount === 0n || amount > creditMax || amount < -creditMax) {
    return yield* new BadText({
      what: "amount",
      reason: `must not be 0 nor beyond ${formatVnd(creditMax)} VND`
    })
  }
  // Open calls have been promised what they hold, and will cost it.
  const { held } = amount < 0n && !force ? yield* showWallet(accountId) : { held: 0n }
  const database = yield* Database
  const outcome = yield* database.run("credit wallet", (sql) =>
    WalletStore.creditWallet(sql, {
      accountId,
      amount,
      reason,
      actor,
      creditId,
      atLeast: force ? undefined : held
    })
  )
  if (outcome._tag === "NoWallet") return yield* new AccountNotFound({ account: accountId })
  if (outcome._tag === "AccountClosed") return yield* new AccountClosed({ account: accountId })
  if (outcome._tag === "TooLittleLeft") {
    return yield* new CorrectionTooLarge({ balanceVnd: formatVnd(outcome.balance), heldVnd: formatVnd(held) })
  }
  if (outcome._tag === "Repeated") return yield* new CreditRepeated({ amountVnd: formatVnd(outcome.amount) })
  const { balance, heldEventId, isRepeated } = outcome
  return { balance, held: yield* readHeld(heldEventId), isRepeated } satisfies Credited
})

/** Holds live in the memory of the nodes alone; each writes its answer before it confirms the question. */
const readHeld = Effect.fnUntraced(function* (eventId: bigint) {
  const database = yield* Database
  yield* awaitNodes(eventId)
  return yield* database.run("take held", (sql) => WalletStore.takeHeld(sql, eventId))
})
