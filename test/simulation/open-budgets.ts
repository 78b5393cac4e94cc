/** The budgets of an account: of a key, and of a member with three keys, of which one has one of its own, too. */
import type { AccountId, KeyId } from "../../src/domain/ids.ts"
import type { Budget } from "../../src/domain/key-settings.ts"
import { plainKey } from "../actors/plain-key.ts"
import type { Random } from "../Random.ts"
import type { DatabaseModel } from "./DatabaseModel.ts"

export const openBudgets = ({ budgets, keys }: DatabaseModel, random: Random, accountId: AccountId): void => {
  const pickBudget = (): Budget => ({ amount: BigInt(random.pick([200, 900, 4_000])), period: "total" })
  const memberBudget = pickBudget()
  const member = `${accountId}.member` as AccountId
  budgets.memberBudgets.set(member, memberBudget.amount)
  for (const [name, isMembers, hasOwn] of [
    ["budgeted", false, true],
    ["member_1", true, false],
    ["member_2", true, false],
    ["member_3", true, true]
  ] as const) {
    const keyId = `${accountId}.${name}` as KeyId
    const own = hasOwn ? pickBudget() : undefined
    if (own !== undefined) budgets.budgets.set(keyId, own.amount)
    if (isMembers) budgets.makers.set(keyId, member)
    const both = { key: own, member: isMembers ? memberBudget : undefined }
    keys.set(keyId, plainKey({ keyId, accountId, budgets: both }))
  }
}
