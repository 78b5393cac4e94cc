/** Answers what is asked with a key: a few at once, and of each wallet what is held no more often than every two seconds. */
import { Clock, Context, Effect, Layer, Semaphore } from "effect"
import { KeyReports } from "../ledger/bridge/KeyReports.ts"
import type { KeyReportAsk } from "../ledger/bridge/protocol.ts"
import { Ledger } from "../ledger/node/Ledger.ts"
import { NodeLife } from "../ledger/NodeLife.ts"
import type { AccountId } from "../domain/ids.ts"
import type { MicroVnd } from "../domain/money.ts"
import { Database } from "../storage/Database.ts"
import { readBalance } from "../storage/WalletStore.ts"
import { untilCreditsCount } from "./await-nodes.ts"
import { answerReport } from "./report-key.ts"
import { showWallet } from "./wallet-credit.ts"

const atOnce = 4
const waitingMax = 200
const heldAgainAfterMs = 2_000
const walletsMax = 10_000

export const keyReports = Layer.effect(
  KeyReports,
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const life = yield* NodeLife
    const database = Context.make(Database, yield* Database)
    const turns = yield* Semaphore.make(atOnce)
    const held = new Map<AccountId, { readonly amount: MicroVnd; readonly untilMs: number }>()
    let waiting = 0

    /** Alone, this node knows; else all are asked. */
    const heldOf = Effect.fnUntraced(function* (accountId: AccountId) {
      if (life.liveNodes() <= 1) return ledger.wallets.heldBy(accountId)
      const nowMs = yield* Clock.currentTimeMillis
      const known = held.get(accountId)
      if (known !== undefined && known.untilMs > nowMs) return known.amount
      const { held: amount } = yield* showWallet(accountId)
      if (held.size >= walletsMax) held.clear()
      held.set(accountId, { amount, untilMs: nowMs + heldAgainAfterMs })
      return amount
    })

    const readWallet = Effect.fnUntraced(function* (accountId: AccountId) {
      const amount = yield* heldOf(accountId)
      const { run } = yield* Database
      const balance = yield* run("read balance", (sql) => readBalance(sql, accountId))
      yield* untilCreditsCount(accountId)
      return { balance: balance ?? 0n, held: amount }
    })

    const answer = (ask: KeyReportAsk) =>
      Effect.suspend(() => {
        if (waiting >= waitingMax) return Effect.undefined
        waiting++
        return turns
          .withPermits(1)(answerReport(ask, readWallet(ask.accountId)))
          .pipe(
            Effect.catchTag("BadText", (problem) => Effect.succeed({ isGood: false, text: problem.message })),
            Effect.catch((problem) =>
              Effect.as(Effect.logWarning("What a key asked could not be told", problem), undefined)
            ),
            Effect.provide(database),
            Effect.ensuring(Effect.sync(() => waiting--))
          )
      })
    return KeyReports.of({ answer })
  })
)
