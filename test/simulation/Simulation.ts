/** One schedule: some processes on one database, customers who call, faults, and at last everything whole again. */
import type { AccountId, KeyId } from "../../src/domain/ids.ts"
import { plainKey } from "../actors/plain-key.ts"
import type { Breaks } from "./breaks.ts"
import { DatabaseModel } from "./DatabaseModel.ts"
import type { NodeRow } from "./model-rows.ts"
import { healAll, type Stage, strike } from "./Faults.ts"
import { Folder } from "./Folder.ts"
import { type CallPlan, Gateway } from "./Gateway.ts"
import { type Connection, Server } from "./Network.ts"
import { type NodeParts, NodeProcess } from "./NodeProcess.ts"
import { openBudgets } from "./open-budgets.ts"
import { Truth } from "./Truth.ts"
import { Violation, World } from "./World.ts"

export interface Finding {
  readonly seed: number
  readonly message: string
  readonly trace: ReadonlyArray<string>
}

const settleMs = 10_000
/** What an ask may take at the most, once all faults are over. */
const answerMsMax = 2_500
/** Which of an account's keys makes a call. */
const planned = ["free", "free", "free", "other", "limited", "budgeted", "member_1", "member_2", "member_3"]

export class Simulation {
  readonly world: World
  readonly truth: Truth
  readonly model: DatabaseModel
  readonly #server: Server
  readonly #gateway: Gateway
  readonly #parts: NodeParts
  readonly #listeners = new Set<Connection>()
  readonly #processes: Array<NodeProcess> = []
  readonly #stage: Stage
  #databaseClockMs = 0
  #endMs = 0

  constructor(seed: number, breaks: Breaks, isTraced: boolean) {
    const world = (this.world = new World(seed, isTraced))
    this.#server = new Server(world)
    this.model = new DatabaseModel(
      () => world.nowMs + this.#databaseClockMs,
      {
        onNotice: () => this.#notify(),
        onGone: (node) => this.#gone(node),
        onCommitted: (id, records) => this.truth.committed(id, records)
      },
      breaks
    )
    this.#server.onStart = () => this.model.nodes.served()
    this.truth = new Truth(world, this.model)
    this.#gateway = new Gateway(world, this.truth, breaks)
    this.#parts = { world, model: this.model, server: this.#server, listeners: this.#listeners, breaks }
    this.#stage = {
      world,
      server: this.#server,
      truth: this.truth,
      gateway: this.#gateway,
      untilEndMs: () => this.#endMs - this.world.nowMs,
      living: () => this.#processes.filter(({ isAlive }) => isAlive),
      replace: (process, keepsFolder) =>
        this.#start(keepsFolder ? process.folder : new Folder(process.name + "'")),
      stepDatabaseClock: (ms) => {
        this.#databaseClockMs += ms
      }
    }
  }

  /** Rejects with a `Violation` when something is not as it must be. */
  async run(): Promise<void> {
    const { random } = this.world
    this.#open(random.pick([1, 1, 2, 3]))
    const nodes = random.pick([1, 2, 2, 2, 3, 3])
    for (let index = 0; index < nodes; index++) this.#start(new Folder(String.fromCharCode(97 + index)))
    this.#endMs = 10_000 + random.below(14_000)
    this.world.afterEach = () => this.truth.verify()
    this.#planCalls()
    for (let count = random.below(6); count > 0; count--) {
      this.world.at(2_000 + random.below(this.#endMs - 2_000), () =>
        strike(this.#stage, this.#parts.breaks.faults)
      )
    }
    for (let count = random.below(3); count > 0; count--) {
      this.world.at(random.below(this.#endMs), () => this.#operate())
    }
    this.#watch()
    await this.world.run(this.#endMs)
    healAll(this.#stage)
    await this.world.run(this.#endMs + settleMs)
    this.#probe()
    await this.world.run(this.#endMs + settleMs + 6_000)
    this.#conclude()
  }

  #open(count: number): void {
    const { random } = this.world
    for (let index = 1; index <= count; index++) {
      const accountId = `wallet_${index}` as AccountId
      const credits = BigInt(random.pick([300, 1_000, 5_000, 100_000]) + random.below(100))
      this.model.wallets.set(accountId, { booked: credits, active: true, escrows: new Map() })
      this.truth.opened(accountId, credits)
      for (const [name, rateLimitPerMinute] of [
        ["free", 0],
        ["other", 0],
        ["limited", 20]
      ] as const) {
        const keyId = `${accountId}.${name}` as KeyId
        this.model.keys.set(keyId, plainKey({ keyId, accountId, rateLimitPerMinute }))
      }
      openBudgets(this.model, random, accountId)
    }
  }

  #start(folder: Folder): void {
    const process = new NodeProcess(folder.name, folder, this.#parts)
    this.#processes.push(process)
    this.world.say(process.name, () => "--- started")
    process.onFailedStart = () => {
      this.world.say(process.name, () => "--- could not start")
      this.world.after(1_000, () => this.#start(folder))
    }
  }

  #planCalls(): void {
    const { random } = this.world
    const everyMs = random.pick([40, 150, 500])
    const next = () => {
      if (this.world.nowMs > this.#endMs + 4_000) return
      this.world.after(random.next() * 2 * everyMs, next)
      const serving = this.#processes.filter((each) => each.isAlive && each.running !== undefined)
      if (serving.length > 0) this.#gateway.start(random.pick(serving), this.#planCall())
    }
    this.world.after(300, next)
  }

  #planCall(): CallPlan {
    const { random } = this.world
    const accountId = random.pick([...this.model.wallets.keys()])
    const minimum = BigInt(1 + random.below(60))
    const wanted = minimum + BigInt(random.chance(0.5) ? 0 : random.below(120))
    const parts = random.pick([1, 1, 1, 2, 4])
    const lengthMs = random.pick([5, 60, 800, 3_000])
    return {
      accountId,
      keyId: `${accountId}.${random.pick(planned)}` as KeyId,
      minimum,
      wanted,
      partsMs: Array.from({ length: parts }, () => 1 + random.next() * lengthMs),
      share: random.pick([0, 0.2, 0.7, 1])
    }
  }

  #operate(): void {
    const { random } = this.world
    const accountId = random.pick([...this.model.wallets.keys()])
    if (random.chance(0.2)) {
      const keyId = `${accountId}.other` as KeyId
      const key = this.model.keys.get(keyId)!
      this.world.say("operator", () => `${key.active ? "revokes" : "restores"} ${keyId}`)
      this.model.keys.set(keyId, { ...key, active: !key.active })
      this.model.tell("key", keyId)
      return
    }
    const amount = BigInt(random.below(1_500) - 400)
    this.world.say("operator", () => `credits ${accountId} with ${amount}`)
    this.truth.credited(accountId, amount, this.model.credit(accountId, amount))
  }

  #notify(): void {
    for (const connection of this.#listeners) connection.notify()
  }

  #gone(node: NodeRow): void {
    this.world.say("database", () => `node ${node.id} (${node.token}) is gone`)
    const name = node.token.split(":")[0]!
    const process = this.#processes.findLast((each) => each.name === name && each.lifeId === node.id)
    // Nobody else's fault costs a node its life.
    if (process?.isAlive === true && process.faultyUntilMs < this.world.nowMs - 9_500) {
      this.world.fail(
        `node ${node.id} of ${process.name} is taken for gone, though nothing kept it from renewing`
      )
    }
  }

  /** A node that does not renew is taken for gone within 10 s, as long as another one that is well is there to say so. */
  #watch(): void {
    const look = () => {
      this.world.after(500, look)
      const nowMs = this.world.nowMs
      const isWell =
        this.truth.databaseFaultyUntilMs < nowMs - 11_000 &&
        this.#processes.some(
          (each) =>
            each.isAlive &&
            each.lifeId !== undefined &&
            each.faultyUntilMs < nowMs - 11_000 &&
            this.#livedMs(each.lifeId) > 4_000
        )
      if (!isWell) return
      for (const node of this.model.nodes.rows.values()) {
        if (node.goneAtMs !== undefined || node.leaseUntilMs > nowMs + this.#databaseClockMs - 2_000) continue
        this.world.fail(`node ${node.id} has not renewed for more than 10 s, and still locks what it had`)
      }
    }
    this.world.after(500, look)
  }

  #livedMs(id: number): number {
    const node = this.model.nodes.rows.get(id)
    return node === undefined ? 0 : this.world.nowMs + this.#databaseClockMs - node.steadySinceMs
  }

  /** 10 s after the last fault, whatever a wallet and its budgets can pay for is admitted everywhere. */
  #probe(): void {
    for (const process of this.#processes) {
      if (!process.isAlive) continue
      if (process.running === undefined) return this.world.fail(`${process.name} does not serve`)
      for (const accountId of this.model.wallets.keys()) {
        for (const name of ["free", "budgeted", "member_1"]) {
          const keyId = `${accountId}.${name}` as KeyId
          if (this.truth.freeOf(accountId) < 20n || this.truth.budgetLeftOf(keyId) < 20n) continue
          this.#gateway.start(process, {
            accountId,
            keyId,
            minimum: 1n,
            wanted: 1n,
            partsMs: [100],
            share: 1,
            mustPassWithinMs: answerMsMax
          })
        }
      }
    }
  }

  #conclude(): void {
    for (const { process, what } of this.#gateway.unanswered(answerMsMax))
      this.world.fail(`${process.name} still waits for the ${what}`)
    for (const call of this.truth.calls.values()) {
      const record = this.model.calls.get(call.callId)
      if (
        call.state === "complete" &&
        record?.cost !== call.cost &&
        !(call.spooled && !this.#isKept(call.process))
      ) {
        this.world.fail(`${call.callId} was complete and cost ${call.cost}; the log says ${record?.cost}`)
      }
    }
    for (const [accountId, { credits }] of this.truth.wallets) {
      let balance = credits
      for (const record of this.model.calls.values())
        if (record.accountId === accountId) balance -= record.cost
      const wallet = this.model.wallets.get(accountId)!
      const booked = this.model.balanceOf(wallet)
      if (booked !== balance) this.world.fail(`${accountId} has ${booked}; credits and calls say ${balance}`)
      const nobodys = this.model.freeOf(wallet)
      if (nobodys < 0n && nobodys < booked)
        this.world.fail(`nodes keep ${booked - nobodys} of ${accountId}, which has ${booked}`)
    }
    this.world.throwFailure()
  }

  /** Its data folder has a successor. */
  #isKept({ folder }: NodeProcess): boolean {
    return this.#processes.some((each) => each.isAlive && each.folder === folder)
  }
}

export const simulate = async (seed: number, breaks: Breaks = {}): Promise<Finding | undefined> => {
  try {
    await new Simulation(seed, breaks, false).run()
    return undefined
  } catch (error) {
    if (!(error instanceof Violation)) throw error
    const again = new Simulation(seed, breaks, true)
    const message = await again.run().then(
      () => `NOT REPLAYABLE: ${error.message}`,
      (reason: unknown) => String(reason)
    )
    return { seed, message, trace: again.world.trace! }
  }
}
