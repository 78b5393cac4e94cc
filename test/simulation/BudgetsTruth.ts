/** What is used of budgets, seen from outside: of keys one by one, and of members by all the keys they made. */
import type { CallId, KeyId } from "../../src/domain/ids.ts"
import type { DatabaseModel } from "./DatabaseModel.ts"
import type { SeenCall } from "./Truth.ts"
import type { World } from "./World.ts"

interface Used {
  readonly budget: bigint
  readonly used: bigint
  /** What calls ask for at this moment: it may have been held for them already. */
  readonly asked: bigint
  readonly excused: bigint
}

const beyondAll = 1_000_000_000n

export class BudgetsTruth {
  readonly #world: World
  readonly #model: DatabaseModel
  readonly #calls: ReadonlyMap<CallId, SeenCall>
  /** What spooled charges have taken of budgets that others had by then. */
  readonly #excused = new Map<KeyId, bigint>()

  constructor(world: World, model: DatabaseModel, calls: ReadonlyMap<CallId, SeenCall>) {
    this.#world = world
    this.#model = model
    this.#calls = calls
  }

  excuse(keyId: KeyId, cost: bigint): void {
    this.#excused.set(keyId, (this.#excused.get(keyId) ?? 0n) + cost)
  }

  /** What calls of living nodes hold of a budget, and what was charged, is never more than there is. */
  verify(keyId: KeyId): void {
    const ofKey = this.#ofKey(keyId)
    if (ofKey !== undefined && ofKey.used > ofKey.budget + ofKey.excused)
      this.#world.fail(`${keyId} has used ${ofKey.used} of its budget of ${ofKey.budget}`)
    const ofMember = this.#ofMember(keyId)
    if (ofMember !== undefined && ofMember.used > ofMember.budget + ofMember.excused) {
      const member = this.#model.budgets.makers.get(keyId)
      this.#world.fail(`keys have used ${ofMember.used} of the budget of ${member}, ${ofMember.budget}`)
    }
  }

  /** What nobody holds, nor asks for. */
  leftOf(keyId: KeyId): bigint {
    return [this.#ofKey(keyId), this.#ofMember(keyId)].reduce((least, each) => {
      const left = each === undefined ? beyondAll : each.budget - each.used - each.asked
      return left < least ? left : least
    }, beyondAll)
  }

  #ofKey(keyId: KeyId): Used | undefined {
    return this.#used(this.#model.budgets.budgets.get(keyId), [keyId])
  }

  #ofMember(keyId: KeyId): Used | undefined {
    const { budgets } = this.#model
    const member = budgets.makers.get(keyId)
    if (member === undefined) return undefined
    return this.#used(budgets.memberBudgets.get(member), budgets.keysOf(member))
  }

  #used(budget: bigint | undefined, keys: ReadonlyArray<KeyId>): Used | undefined {
    if (budget === undefined) return undefined
    let [used, asked, excused] = [0n, 0n, 0n]
    for (const keyId of keys) {
      used += this.#model.budgets.spentOf(keyId)
      excused += this.#excused.get(keyId) ?? 0n
    }
    for (const call of this.#calls.values()) {
      if (!keys.includes(call.keyId) || this.#model.calls.has(call.callId)) continue
      if (call.state !== "asked" && call.state !== "open" && call.state !== "ended") continue
      asked += call.asked
      if (call.lifeId !== undefined && this.#model.isLiving(call.lifeId)) used += call.held
    }
    return { budget, used, asked, excused }
  }
}
