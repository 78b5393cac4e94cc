/** One search for whatever a customer may be known by. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { searchLengthMin } from "../../domain/field-limits.ts"
import { withoutSecret } from "../../domain/key-hint.ts"
import { formatVnd } from "../../domain/money.ts"
import { wantedText } from "../../domain/typed-text.ts"
import { searchEverything } from "../../storage/SearchStore.ts"
import { Api } from "../definition/Api.ts"
import { query, refuseBad } from "./refuse.ts"

export const operatorSearchHandlers = HttpApiBuilder.group(Api, "operatorSearch", (handlers) =>
  handlers.handleAll({
    find: Effect.fnUntraced(function* ({ query: { q } }) {
      const hits = yield* query("search", (sql) => searchEverything(sql, withoutSecret(wantedText(q))))
      if (hits === undefined) return yield* refuseBad("q", `must have at least ${searchLengthMin} characters`)
      return {
        hits: hits.map(({ account, at, id, kind, label, order }) => ({
          kind,
          id,
          label,
          account: account ?? null,
          at: at.getTime(),
          order: order === undefined ? null : { status: order.status, amount_vnd: formatVnd(order.amount) }
        }))
      }
    })
  })
)
