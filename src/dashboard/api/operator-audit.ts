/** What people did, by whom and to what, as operators look through it. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { exportAudit } from "../../accounts/audit-export.ts"
import { BadText } from "../../accounts/check-text.ts"
import { parsePeriod } from "../../accounts/parse-period.ts"
import { formatVnd } from "../../domain/money.ts"
import { mayDo } from "../../domain/staff-roles.ts"
import { wantedText } from "../../domain/typed-text.ts"
import { dayText } from "../../domain/vietnam-days.ts"
import { type AuditFilter, type AuditRow, listAudit } from "../../storage/AuditStore.ts"
import type { DashboardContext } from "../DashboardContext.ts"
import { Caller } from "../definition/access.ts"
import { Api } from "../definition/Api.ts"
import type { AuditQuery } from "../definition/operator-audit.ts"
import { nextAfter } from "./cursors.ts"
import { beginExport, formatOf, streamCsv } from "./export-csv.ts"
import { query, refuseText } from "./refuse.ts"

const entriesPerPage = 50

export const operatorAuditHandlers = (context: DashboardContext) =>
  HttpApiBuilder.group(Api, "operatorAudit", (handlers) =>
    handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { before, ...asked } }) {
        const filter = yield* filterOf(asked)
        const rows = yield* query("list audit", (sql) =>
          listAudit(sql, filter, { before, limit: entriesPerPage })
        )
        return {
          entries: rows.map(renderAudit),
          next: nextAfter(rows, entriesPerPage)
        }
      }),

      csv: Effect.fnUntraced(function* ({ query: { sep, ...asked } }) {
        const filter = yield* filterOf(asked)
        const finish = yield* beginExport(context, (yield* Caller).accountId)
        const name = `tollgate-audit-${dayText(Date.now())}.csv`
        return streamCsv(context, name, exportAudit(filter, formatOf(sep)), finish)
      })
    })
  )

const filterOf = Effect.fnUntraced(function* ({ action, actor, from, subject, to }: AuditQuery) {
  const period = parsePeriod(from, to, "")
  if (period instanceof BadText) return yield* refuseText(period)
  const own = yield* ownPartOfAudit
  const names = { actor: actor && wantedText(actor), subject: subject && wantedText(subject) }
  return { action, ...names, ...period, ...own } satisfies AuditFilter
})

/** What an operator's role lets them read of the log. */
export const ownPartOfAudit = Effect.map(Caller, ({ role }) => ({ withoutMargins: !mayDo(role, "money") }))

export const renderAudit = ({ accountId, atMs, detail, named, subjectId, ...row }: AuditRow) => ({
  ...row,
  at: atMs,
  subject_id: subjectId,
  subject_account: accountId ?? null,
  account: named ?? null,
  detail: Object.fromEntries(Object.entries(detail).map(inVnd))
})

type DetailValue = AuditRow["detail"][string]

/** Money is decimal VND everywhere in this API. */
const inVnd = ([name, value]: readonly [string, DetailValue]): readonly [string, DetailValue] =>
  name.endsWith("_micro_vnd")
    ? [name.replace("_micro_vnd", "_vnd"), formatVnd(BigInt(String(value)))]
    : [name, value]
