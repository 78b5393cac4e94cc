/** What whoever has a key may know of its money, told by whoever keeps accounts. */
import { Context, type Effect } from "effect"
import type { KeyReport, KeyReportAsk } from "./protocol.ts"

export class KeyReports extends Context.Service<
  KeyReports,
  {
    /** `undefined`: nobody can say now. */
    readonly answer: (ask: KeyReportAsk) => Effect.Effect<KeyReport | undefined>
  }
>()("tollgate/ledger/KeyReports") {}
