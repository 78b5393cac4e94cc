/** One process that serves: the real ledger, journal and lease, on a machine, a data folder and a way to the database. */
import { Clock, Context, Effect, Exit, Layer, Logger, Scheduler, Scope } from "effect"
import { LeaseDeadline } from "../../src/ledger/bridge/LeaseDeadline.ts"
import { ThreadAllowances } from "../../src/ledger/bridge/ThreadAllowances.ts"
import type { AllowancePlace } from "../../src/ledger/bridge/protocol.ts"
import * as Journal from "../../src/ledger/journal/Journal.ts"
import { Ledger } from "../../src/ledger/node/Ledger.ts"
import type { LedgerShape } from "../../src/ledger/node/ledger-shape.ts"
import * as Lease from "../../src/ledger/node/Lease.ts"
import { NodeEvents } from "../../src/ledger/node/NodeEvents.ts"
import { NodeLife } from "../../src/ledger/NodeLife.ts"
import { Database, DatabaseError } from "../../src/storage/Database.ts"
import type { KeyId } from "../../src/domain/ids.ts"
import { noMaintenance } from "../../src/domain/maintenance.ts"
import type { Breaks } from "./breaks.ts"
import type { DatabaseModel } from "./DatabaseModel.ts"
import type { Folder } from "./Folder.ts"
import { Machine } from "./Machine.ts"
import { modelJournal, modelLease } from "./model-stores.ts"
import { type Connection, Link, type Server } from "./Network.ts"
import type { World } from "./World.ts"

/** A gateway thread's own memory. */
export interface Thread {
  readonly allowances: ThreadAllowances
  readonly known: Map<KeyId, AllowancePlace>
}

export interface NodeParts {
  readonly world: World
  readonly model: DatabaseModel
  readonly server: Server
  readonly listeners: Set<Connection>
  readonly breaks: Breaks
}

const threadCount = 2
const wordsOfThread = 32

interface Running {
  readonly ledger: LedgerShape
  readonly life: NodeLife["Service"]
  readonly journal: Journal.Journal["Service"]
}

export class NodeProcess {
  readonly name: string
  readonly machine: Machine
  readonly link: Link
  readonly folder: Folder
  readonly deadline: LeaseDeadline
  readonly threads: ReadonlyArray<Thread> = Array.from({ length: threadCount }, () => ({
    allowances: new ThreadAllowances(wordsOfThread),
    known: new Map()
  }))
  running: Running | undefined
  onFailedStart: () => void = () => {}
  /** When a fault of its own began or ended last. */
  faultyUntilMs = 0
  /** So long it is stopped in the midst of the next take from an allowance. */
  freezesInTakeMs = 0
  readonly #context: Context.Context<never>
  readonly #scope = Scope.makeUnsafe()

  constructor(name: string, folder: Folder, parts: NodeParts) {
    const { breaks, model, server, world } = parts
    this.name = name
    this.folder = folder
    this.machine = new Machine(world, name)
    this.link = new Link(world, this.machine, server)
    this.deadline = breaks.deadline?.(this.machine.clock) ?? LeaseDeadline.make(this.machine.clock)
    this.#context = Context.make(Clock.Clock, this.machine.clock).pipe(
      Context.add(Scheduler.Scheduler, this.machine.scheduler)
    ) as Context.Context<never>
    const logger = Logger.layer([
      Logger.make(({ message }) => world.say(name, () => `log: ${String(message)}`))
    ])
    const journal = Layer.effect(
      Journal.Journal,
      Effect.map(
        Journal.make({ connector: modelJournal(model, this.link), spool: folder.openSpool() }),
        (made) => breaks.journal?.(made) ?? made
      )
    )
    const node = Lease.layer({
      connector: modelLease(model, this.link, parts.listeners),
      tokens: folder.openTokens()
    }).pipe(
      Layer.provideMerge(NodeEvents.layer),
      Layer.provideMerge(Ledger.layer),
      Layer.provideMerge(journal),
      Layer.provideMerge(NodeLife.layerWith(this.deadline)),
      Layer.provide(settingsOf(this.link)),
      Layer.provide(logger)
    )
    this.run(
      Effect.matchCause(Layer.buildWithScope(node, this.#scope), {
        onSuccess: (services) => {
          this.running = {
            ledger: Context.get(services, Ledger),
            life: Context.get(services, NodeLife),
            journal: Context.get(services, Journal.Journal)
          }
        },
        // Its supervisor starts another one.
        onFailure: () => {
          this.machine.kill()
          this.onFailedStart()
        }
      })
    )
  }

  get isAlive(): boolean {
    return !this.machine.isDead
  }

  get lifeId(): number | undefined {
    return this.running?.life.present()?.id
  }

  run(effect: Effect.Effect<unknown>): void {
    Effect.runForkWith(this.#context)(effect)
  }

  /** Now where the answer is there, else when it has come. */
  answer<A>(asked: Effect.Effect<A>, tell: (answer: A) => void): void {
    if (Exit.isExit(asked)) {
      const exit = asked as Exit.Exit<A>
      if (Exit.isSuccess(exit)) tell(exit.value)
      return
    }
    this.run(Effect.map(asked, tell))
  }

  /** A clean stop: what it owes is written, and it takes its leave. */
  stop(onStopped: () => void): void {
    this.running?.ledger.refuse({ _tag: "Draining" })
    this.run(Effect.andThen(Scope.close(this.#scope, Exit.void), Effect.sync(onStopped)))
  }

  kill(isPowerLost: boolean): void {
    this.machine.kill()
    if (!isPowerLost) this.link.cut()
  }
}

/** What maintenance and models are set to: nothing. */
const settingsOf = (link: Link) =>
  Layer.succeed(
    Database,
    Database.of({
      run: <A>(operation: string) =>
        Effect.callback<A, DatabaseError>((resume) => {
          const isThere = !link.isCut && !link.holdsUp && !link.holdsDown && link.server.isUp
          link.machine.after(isThere ? 2 : 100, () =>
            resume(
              isThere
                ? Effect.succeed((operation === "read maintenance" ? noMaintenance : {}) as A)
                : Effect.fail(new DatabaseError({ operation, code: "CONNECTION_CLOSED" }))
            )
          )
        }),
      listen: () => Effect.void
    })
  )
