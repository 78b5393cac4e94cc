/** The account's own audit log. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { activities } from "../../domain/account-activities.ts"
import { type Activity, listActivity, listActors } from "../../storage/ActivityStore.ts"
import { Caller } from "../definition/access.ts"
import { Api } from "../definition/Api.ts"
import { nextAfter } from "./cursors.ts"
import { query } from "./refuse.ts"

const entriesPerPage = 50

export const activityHandlers = HttpApiBuilder.group(Api, "activity", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ query: asked }) {
      const { accountId } = yield* Caller
      const filter = {
        accountId,
        actions: asked.kind === undefined ? Object.values(activities).flat() : activities[asked.kind],
        personId: asked.person,
        before: asked.before,
        limit: entriesPerPage
      }
      const [entries, people] = yield* query("list activity", (sql) =>
        Promise.all([listActivity(sql, filter), listActors(sql, accountId)])
      )
      return {
        entries: entries.map(renderActivity),
        next: nextAfter(entries, entriesPerPage),
        people
      }
    })
  })
)

const renderActivity = ({ action, actor, at, detail, id, subject }: Activity) => ({
  id,
  at: at.getTime(),
  actor: actor ?? null,
  action,
  subject,
  detail
})
