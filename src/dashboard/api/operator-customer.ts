/** A customer as an operator helps them: what they used, their statement, their keys, their members, what was noted about them. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { checkLines } from "../../accounts/check-text.ts"
import { listKeys, revokeKey, updateKey } from "../../accounts/keys.ts"
import { noteLengthMax } from "../../domain/field-limits.ts"
import { nameMakers } from "../../storage/keys/KeyStore.ts"
import { readMemberBudgets } from "../../storage/keys/MemberBudgetStore.ts"
import { listMembers } from "../../storage/people/MemberStore.ts"
import { insertNote, listNotes } from "../../storage/NoteStore.ts"
import { Caller } from "../definition/access.ts"
import { Api } from "../definition/Api.ts"
import { nextAfter } from "./cursors.ts"
import { renderKey } from "./keys.ts"
import { accountOf } from "./operator-accounts.ts"
import { act, query, refuseText } from "./refuse.ts"
import { answerStatement } from "./statement.ts"
import { renderMember } from "./team.ts"
import { answerOutlook } from "./overview.ts"
import { answerCalls, answerReport, renderCallWithRoutes } from "./usage.ts"

const notesPerPage = 50

export const operatorCustomerHandlers = HttpApiBuilder.group(Api, "operatorCustomer", (handlers) =>
  handlers.handleAll({
    usage: Effect.fnUntraced(function* ({ params, query: asked }) {
      const { accountId } = yield* accountOf(params.id)
      return yield* answerReport({ accountId, keysOf: undefined }, asked)
    }),

    calls: Effect.fnUntraced(function* ({ params, query: asked }) {
      const { accountId } = yield* accountOf(params.id)
      return yield* answerCalls({ accountId, keysOf: undefined }, asked, renderCallWithRoutes)
    }),

    outlook: Effect.fnUntraced(function* ({ params }) {
      const { accountId } = yield* accountOf(params.id)
      return yield* answerOutlook({ accountId, keysOf: undefined })
    }),

    statement: Effect.fnUntraced(function* ({ params, query: asked }) {
      return yield* answerStatement((yield* accountOf(params.id)).accountId, asked)
    }),

    keys: Effect.fnUntraced(function* ({ params }) {
      const { accountId } = yield* accountOf(params.id)
      const keys = yield* act(listKeys(accountId))
      const emails = yield* query("name makers", (sql) => nameMakers(sql, accountId))
      return { keys: keys.map((key) => renderKey(key, emails)).toReversed() }
    }),

    revokeKey: Effect.fnUntraced(function* ({ params }) {
      const { actor } = yield* Caller
      const { accountId } = yield* accountOf(params.id)
      yield* act(revokeKey(params.key, actor, accountId))
      return {}
    }),

    pauseKey: Effect.fnUntraced(function* ({ params, payload: { paused } }) {
      const { actor } = yield* Caller
      const { accountId } = yield* accountOf(params.id)
      yield* act(updateKey(params.key, { paused }, actor, accountId))
      return {}
    }),

    members: Effect.fnUntraced(function* ({ params }) {
      const { accountId } = yield* accountOf(params.id)
      const [members, budgets] = yield* query("list members", (sql) =>
        Promise.all([listMembers(sql, accountId), readMemberBudgets(sql, accountId)])
      )
      return { members: members.map((member) => renderMember(member, budgets)) }
    }),

    notes: Effect.fnUntraced(function* ({ params, query: { before } }) {
      const { accountId } = yield* accountOf(params.id)
      const notes = yield* query("list notes", (sql) =>
        listNotes(sql, accountId, { before, limit: notesPerPage })
      )
      return {
        notes: notes.map(({ atMs, ...note }) => Object.assign(note, { at: atMs })),
        next: nextAfter(notes, notesPerPage)
      }
    }),

    note: Effect.fnUntraced(function* ({ params, payload }) {
      const { actor } = yield* Caller
      const text = checkLines("note", payload.text, noteLengthMax)
      if (typeof text !== "string") return yield* refuseText(text)
      const { accountId } = yield* accountOf(params.id)
      yield* query("insert note", (sql) => insertNote(sql, { accountId, actor, text }))
      return {}
    })
  })
)
