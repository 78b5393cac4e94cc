/** Actors by what they are of: each is started by its first command, and retired when nobody has used it for a while. */
import { Effect, FiberSet, type Scope } from "effect"
import { Actor, type Behaviour, type Unavailable } from "./Actor.ts"

interface Entry<State, Command, Answer> {
  readonly actor: Actor<State, Command, Answer>
  usedAtMs: number
}

type BehaviourOf<Id, State, Command, Answer> = (
  id: Id
) => Omit<Behaviour<State, Command, Answer>, "fork" | "mailboxCapacity">

export class ActorMap<Id, State, Command, Answer> {
  readonly #entries = new Map<Id, Entry<State, Command, Answer>>()
  readonly #behaviourOf: BehaviourOf<Id, State, Command, Answer>
  readonly #mailboxCapacity: number
  readonly #fork: (serve: Effect.Effect<void>) => void

  constructor(
    behaviourOf: BehaviourOf<Id, State, Command, Answer>,
    options: {
      readonly mailboxCapacity: number
      readonly fork: (serve: Effect.Effect<void>) => void
    }
  ) {
    this.#behaviourOf = behaviourOf
    this.#mailboxCapacity = options.mailboxCapacity
    this.#fork = options.fork
  }

  get size(): number {
    return this.#entries.size
  }

  has(id: Id): boolean {
    return this.#entries.has(id)
  }

  get(id: Id): Actor<State, Command, Answer> | undefined {
    return this.#entries.get(id)?.actor
  }

  state(id: Id): State | undefined {
    return this.#entries.get(id)?.actor.state
  }

  /** Keeps it from being retired for a while. */
  touch(id: Id, nowMs: number): void {
    const entry = this.#entries.get(id)
    if (entry !== undefined) entry.usedAtMs = nowMs
  }

  /** Decides now; see `Actor.askUnsafe`. */
  askUnsafe(id: Id, command: Command, nowMs: number): Effect.Effect<Answer, Unavailable> {
    const entry = this.#entries.get(id) ?? this.#start(id)
    entry.usedAtMs = nowMs
    return entry.actor.askUnsafe(command)
  }

  /** Those that have been loaded. */
  *states(): Generator<readonly [Id, State]> {
    for (const [id, { actor }] of this.#entries) if (actor.state !== undefined) yield [id, actor.state]
  }

  invalidate(id: Id): void {
    this.#entries.get(id)?.actor.invalidate()
  }

  /** Those that it concerns; of one that is being loaded for the first time it is not known whether it does. */
  invalidateWhere(concerns: (state: State) => boolean): void {
    for (const { actor } of this.#entries.values())
      if (actor.state === undefined || concerns(actor.state)) actor.invalidate()
  }

  invalidateAll(): void {
    for (const { actor } of this.#entries.values()) actor.invalidate()
  }

  /** Forgets those that nobody has used since `beforeMs` and that have nothing to lose; answers which. */
  retire(beforeMs: number, hasNothingToLose: (state: State) => boolean): ReadonlyArray<Id> {
    const retired: Array<Id> = []
    for (const [id, { actor, usedAtMs }] of this.#entries) {
      if (usedAtMs >= beforeMs || !actor.isIdle) continue
      if (actor.state !== undefined && !hasNothingToLose(actor.state)) continue
      this.#entries.delete(id)
      retired.push(id)
    }
    return retired
  }

  #start(id: Id): Entry<State, Command, Answer> {
    const behaviour = {
      ...this.#behaviourOf(id),
      mailboxCapacity: this.#mailboxCapacity,
      fork: this.#fork
    }
    const entry = { actor: new Actor<State, Command, Answer>(behaviour), usedAtMs: 0 }
    this.#entries.set(id, entry)
    return entry
  }
}

/** Where actors serve their mailboxes: all fibers end with the scope. */
export const makeFork: Effect.Effect<(serve: Effect.Effect<void>) => void, never, Scope.Scope> = Effect.map(
  FiberSet.makeRuntime<never, void, never>(),
  (run) => (serve) => void run(serve)
)
