/** A ledger's server that tells nothing of balances. */
import { Effect, Layer } from "effect"
import { KeyReports } from "../../src/ledger/bridge/KeyReports.ts"

export const noReports = Layer.succeed(KeyReports, { answer: () => Effect.undefined })
