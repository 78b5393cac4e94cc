/** Calls as a gateway thread makes them: out of its allowance or by asking, extended while they stream, settled at the end. */
import type { CallRecord } from "../../src/domain/call.ts"
import type { AccountId, CallId, KeyId } from "../../src/domain/ids.ts"
import type { Admission } from "../../src/ledger/bridge/protocol.ts"
import { callRecord } from "../ledger/call-record.ts"
import type { Breaks } from "./breaks.ts"
import type { NodeProcess, Thread } from "./NodeProcess.ts"
import type { SeenCall, Truth } from "./Truth.ts"
import type { World } from "./World.ts"

export interface CallPlan {
  readonly accountId: AccountId
  readonly keyId: KeyId
  readonly minimum: bigint
  readonly wanted: bigint
  /** How long each part of it takes; after each but the last it is extended. */
  readonly partsMs: ReadonlyArray<number>
  /** Of what it holds, what it costs: from 0 to 1. */
  readonly share: number
  /** Must be admitted: what it waits for at most. */
  readonly mustPassWithinMs?: number
}

interface Call {
  readonly plan: CallPlan
  readonly seen: SeenCall
  readonly process: NodeProcess
  readonly thread: Thread
  readonly atMs: number
  fromAllowance: bigint
}

interface Waiting {
  readonly what: string
  readonly process: NodeProcess
  readonly sinceMs: number
}

export class Gateway {
  readonly #world: World
  readonly #truth: Truth
  readonly #breaks: Breaks
  #calls = 0
  /** Asks that have had no answer yet. */
  readonly #waiting = new Map<Call, Waiting>()

  constructor(world: World, truth: Truth, breaks: Breaks) {
    this.#world = world
    this.#truth = truth
    this.#breaks = breaks
  }

  start(process: NodeProcess, plan: CallPlan): void {
    // The time in it counts for budgets that end, as none does here.
    const callId = `req_00000000${String(++this.#calls).padStart(14, "0")}` as CallId
    const thread = this.#world.random.pick(process.threads)
    process.machine.receive(() => {
      if (process.running === undefined) return
      const seen: SeenCall = {
        callId,
        accountId: plan.accountId,
        keyId: plan.keyId,
        process,
        lifeId: undefined,
        state: "asked",
        held: 0n,
        asked: 0n,
        cost: 0n,
        spooled: false
      }
      this.#truth.calls.set(callId, seen)
      const call = { plan, seen, process, thread, atMs: process.machine.wallMs, fromAllowance: 0n }
      const { minimum, wanted } = plan
      this.#world.say(process.name, () => `${callId} of ${plan.accountId} wants ${minimum} to ${wanted}`)
      this.#take(call)
    })
  }

  /** Asks of processes that are alive which have had no answer for so long. */
  unanswered(forMs: number): ReadonlyArray<Waiting> {
    const beforeMs = this.#world.nowMs - forMs
    return [...this.#waiting.values()].filter(
      ({ process, sinceMs }) => process.isAlive && sinceMs <= beforeMs
    )
  }

  #waits(call: Call, ask: string): void {
    const { process, seen } = call
    this.#waiting.set(call, { what: `${ask} of ${seen.callId}`, process, sinceMs: this.#world.nowMs })
  }

  /** Looks, takes and looks again; between these the process may be stopped. */
  #take(call: Call): void {
    const { plan, process, thread } = call
    const allowance = thread.known.get(plan.keyId)
    if (allowance === undefined || process.deadline.hasPassed) return this.#ask(call)
    const take = () => {
      const { words } = thread.allowances
      const taken = words.take(allowance.index, allowance.generation, plan.wanted)
      if (taken === "ended") thread.known.delete(plan.keyId)
      if (taken !== "taken") return this.#ask(call)
      call.fromAllowance = plan.wanted
      if (this.#breaks.leavesThreadsUnfenced === true || !process.deadline.hasPassed) {
        return this.#admitted(call, { _tag: "Admitted", granted: plan.wanted })
      }
      this.#tooLate(call)
    }
    const frozenMs = process.freezesInTakeMs
    if (frozenMs === 0) return take()
    process.freezesInTakeMs = 0
    this.#world.say(process.name, () => `stopped in its take for ${frozenMs} ms`)
    process.faultyUntilMs = Math.max(process.faultyUntilMs, this.#world.nowMs + frozenMs)
    process.machine.after(0, take)
    process.machine.freeze()
    this.#world.after(frozenMs, () => process.machine.thaw())
  }

  #tooLate(call: Call): void {
    this.#world.say(call.process.name, () => `${call.seen.callId} was admitted too late`)
    call.seen.state = "refused"
    this.#settle(call, 0n)
  }

  #ask(call: Call): void {
    const { plan, process, seen, thread } = call
    const { accountId, keyId, minimum, wanted } = plan
    const { ledger } = process.running!
    const askedMs = this.#world.nowMs
    this.#waits(call, "admission")
    seen.asked = wanted
    const asked = ledger.admitUnsafe({ accountId, keyId, secret: 0, callId: seen.callId, minimum, wanted })
    process.answer(asked, (admission) => {
      this.#waiting.delete(call)
      seen.asked = 0n
      if (admission._tag === "Admitted" && process.deadline.hasPassed) return this.#tooLate(call)
      this.#admitted(call, admission, askedMs)
      if (admission._tag !== "Admitted") return
      const allowance = ledger.allow(thread.allowances, { accountId, keyId, secret: 0, wanted })
      if (allowance !== undefined) thread.known.set(keyId, allowance)
    })
  }

  #admitted(call: Call, admission: Admission, askedMs = this.#world.nowMs): void {
    const { plan, process, seen } = call
    this.#world.say(process.name, () => `${seen.callId}: ${describe(admission)}`)
    this.#verifyPassed(call, admission, askedMs)
    if (admission._tag === "Insufficient") this.#truth.insufficient(seen, plan.minimum, askedMs)
    if (admission._tag === "Limited") this.#truth.limits.limited(plan.keyId)
    if (admission._tag === "Unavailable") this.#truth.counts.unavailable++
    if (admission._tag !== "Admitted") {
      seen.state = "refused"
      return
    }
    this.#truth.admitted(seen, admission.granted, false, askedMs)
    this.#part(call, 0)
  }

  #verifyPassed({ plan, process, seen }: Call, admission: Admission, askedMs: number): void {
    if (plan.mustPassWithinMs === undefined) return
    const tookMs = this.#world.nowMs - askedMs
    if (admission._tag === "Admitted" && tookMs <= plan.mustPassWithinMs) return
    if (admission._tag === "Insufficient" && this.#truth.freeOf(plan.accountId) < plan.minimum) return
    if (admission._tag === "OverBudget" && this.#truth.budgetLeftOf(plan.keyId) < plan.minimum) return
    this.#world.fail(
      `${process.name} answers ${seen.callId} ${admission._tag} after ${tookMs} ms, 10 s after all faults`
    )
  }

  #part(call: Call, index: number): void {
    const { partsMs } = call.plan
    call.process.machine.after(partsMs[index]!, () => {
      if (index < partsMs.length - 1) this.#extend(call, index)
      else this.#end(call)
    })
  }

  #extend(call: Call, index: number): void {
    const { plan, process, seen } = call
    const { accountId, minimum, wanted } = plan
    this.#adopt(call)
    const askedMs = this.#world.nowMs
    const { ledger, life } = process.running!
    const goesOnAlone = () => process.deadline.hasPassed && life.liveNodes() <= 1
    this.#waits(call, "extension")
    seen.asked = wanted
    process.answer(ledger.extendUnsafe({ accountId, callId: seen.callId, minimum, wanted }), (admission) => {
      this.#waiting.delete(call)
      seen.asked = 0n
      this.#world.say(process.name, () => `${seen.callId} extends: ${describe(admission)}`)
      if (admission._tag === "Insufficient" && !goesOnAlone()) {
        this.#truth.insufficient(seen, minimum, askedMs)
      }
      if (admission._tag !== "Admitted") return this.#end(call)
      if (!goesOnAlone()) this.#truth.admitted(seen, admission.granted, true, askedMs)
      else this.#truth.extendedAlone(seen, admission.granted)
      this.#part(call, index + 1)
    })
  }

  #end(call: Call): void {
    const { plan, seen } = call
    const cost = plan.share >= 1 ? seen.held : (seen.held * BigInt(Math.floor(plan.share * 1_000))) / 1_000n
    this.#settle(call, cost)
  }

  #settle(call: Call, cost: bigint): void {
    const { process, seen } = call
    const { ledger } = process.running!
    this.#adopt(call)
    const isCharged = seen.state === "open" && cost > 0n
    if (isCharged) this.#truth.ended(seen, cost)
    else if (seen.state === "open") this.#truth.endedFree(seen)
    this.#world.say(process.name, () => `${seen.callId} ends and costs ${cost}`)
    this.#waits(call, "settlement")
    ledger.settle(recordOf(call, cost), (outcome) => {
      this.#waiting.delete(call)
      this.#world.say(process.name, () => `${seen.callId} is ${outcome}`)
      if (isCharged) this.#truth.settled(seen, outcome)
    })
    ledger.wallets.fillUp(call.plan.accountId, call.thread.allowances.thread)
  }

  /** The ledger takes over what the call held out of its thread's allowance. */
  #adopt(call: Call): void {
    const { fromAllowance: amount, plan, process, seen, thread } = call
    if (amount === 0n) return
    call.fromAllowance = 0n
    const adopted = { thread: thread.allowances.thread, callId: seen.callId, amount }
    process.running!.ledger.adopt(plan.accountId, adopted)
  }
}

const describe = (admission: Admission): string =>
  admission._tag === "Admitted" ? `admitted with ${admission.granted}` : admission._tag

const recordOf = ({ atMs, plan, seen }: Call, cost: bigint): CallRecord =>
  callRecord(plan, seen.callId, cost, { atMs, stream: plan.partsMs.length > 1 })
