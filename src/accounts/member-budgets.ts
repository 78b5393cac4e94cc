/** Setting what all keys that a member of an account has made may spend together. */
import { Effect } from "effect"
import type { Budget } from "../domain/key-settings.ts"
import { Database } from "../storage/Database.ts"
import * as MemberBudgetStore from "../storage/keys/MemberBudgetStore.ts"
import { awaitNodes } from "./await-nodes.ts"
import { checkSettings } from "./check-key-settings.ts"
import { type Acting, MemberNotFound, RoleForbids } from "./team.ts"

/** `null`: no budget any more. Once this returns, every node goes by it. */
export const setMemberBudget = Effect.fn("setMemberBudget")(function* (
  acting: Acting,
  personId: string,
  asked: Budget | null
) {
  const { budget } = yield* checkSettings({ budget: asked })
  const database = yield* Database
  const outcome = yield* database.run("set member budget", (sql) =>
    MemberBudgetStore.setMemberBudget(sql, { ...acting, personId }, budget)
  )
  if (outcome === "no member") return yield* new MemberNotFound({ personId })
  if (outcome === "forbidden") return yield* new RoleForbids()
  if (outcome.eventId !== undefined) yield* awaitNodes(outcome.eventId)
})
