/**
 * The one way the ledger serialises decisions: an actor owns a state and decides commands one after another.
 *
 * A decision is synchronous, so a command meets no queue while the state is at hand. Only what must wait for storage
 * (the first load, or a fresh state because the present one does not suffice) waits in the mailbox, which is bounded and
 * served by one fiber of the actor's own.
 */
import { Deferred, Effect, Exit, Schema } from "effect"
import { monotonicMs } from "./monotonic.ts"

/** The actor can not say now: storage does not answer, or too many wait for it already. */
export class Unavailable extends Schema.TaggedError<Unavailable>()("Unavailable", {}) {}

export const unavailable = Exit.fail(new Unavailable())

export interface Behaviour<State, Command, Answer> {
  /** Decides at once; `undefined` where that takes a fresh state. */
  readonly decide: (state: State, command: Command) => Answer | undefined
  /**
   * Asks for what it takes to decide these commands, and answers how the state is made of it: in the same moment as they
   * are decided, so that nobody else has it first. Never runs twice at once. `isUsable`: as far as is known, storage is as the
   * state says.
   */
  readonly refresh: (
    state: State | undefined,
    commands: ReadonlyArray<Command>,
    isUsable: boolean
  ) => Effect.Effect<() => State, Unavailable>
  /**
   * Decides on a state that was just made fresh for this command; `undefined` where that has been overtaken by others, and
   * it must be asked for once more.
   */
  readonly decideFresh: (state: State, command: Command) => Answer | undefined
  /** A fresh state has been decided on for all who waited for it. */
  readonly onServed?: (state: State) => void
  /** How many commands may wait. */
  readonly mailboxCapacity: number
  /** Runs what serves the mailbox. */
  readonly fork: (serve: Effect.Effect<void>) => void
}

interface Letter<Command, Answer> extends Overtaken {
  readonly command: Command
  readonly answer: Deferred.Deferred<Answer, Unavailable>
}

interface Overtaken {
  timesOvertaken: number
  /** From the first time on: until when a fresh state is asked for in any case, by the monotonic clock. */
  untilMs: number | undefined
}

/** Who is still overtaken so long after the first time, and so often, is told that it can not be said now. */
const overtakenMsMax = 500
/** Where storage is slow, a fresh state alone may take as long. */
const timesOvertakenMin = 8

export class Actor<State, Command, Answer> {
  readonly #behaviour: Behaviour<State, Command, Answer>
  #state: State | undefined
  /** The state may be decided on; false before the first load and once storage is known to have changed. */
  #usable = false
  #invalidatedMeanwhile = false
  #serving = false
  /** Letters that the next refresh will serve: one under way may have read storage before their senders wrote to it. */
  #waiting: Array<Letter<Command, Answer>> = []
  #served: ReadonlyArray<Letter<Command, Answer>> = []

  constructor(behaviour: Behaviour<State, Command, Answer>) {
    this.#behaviour = behaviour
  }

  get state(): State | undefined {
    return this.#state
  }

  /** The state may be decided on without asking storage. */
  get isUsable(): boolean {
    return this.#usable
  }

  /** Nobody waits for an answer. */
  get isIdle(): boolean {
    return !this.#serving
  }

  /** Decides now, not when the answer is run: an `Exit` where the state is at hand, else what waits for the mailbox. */
  askUnsafe(command: Command): Effect.Effect<Answer, Unavailable> {
    if (this.#usable && this.#state !== undefined) {
      const decided = this.#behaviour.decide(this.#state, command)
      if (decided !== undefined) return Exit.succeed(decided)
    }
    if (this.#waiting.length + this.#served.length >= this.#behaviour.mailboxCapacity) return unavailable
    const letter = {
      command,
      answer: Deferred.makeUnsafe<Answer, Unavailable>(),
      untilMs: undefined,
      timesOvertaken: 0
    }
    this.#waiting.push(letter)
    if (!this.#serving) {
      this.#serving = true
      this.#behaviour.fork(this.#serve)
    }
    return Deferred.await(letter.answer)
  }

  /** Storage has changed: the next command waits for a fresh state. */
  invalidate(): void {
    this.#usable = false
    this.#invalidatedMeanwhile = true
  }

  /** Whatever becomes of it, every letter is answered. */
  readonly #serve: Effect.Effect<void> = Effect.suspend(() => this.#serveWaiting()).pipe(
    Effect.onExit((exit) =>
      Effect.sync(() => {
        // The fiber may have yielded after it saw nobody wait: whoever came then is served by another.
        this.#serving = Exit.isSuccess(exit) && this.#waiting.length > 0
        if (this.#serving) return this.#behaviour.fork(this.#serve)
        for (const { answer } of [...this.#served, ...this.#waiting.splice(0)]) {
          Deferred.doneUnsafe(answer, unavailable)
        }
        this.#served = []
      })
    )
  )

  #serveWaiting(): Effect.Effect<void> {
    return Effect.whileLoop({
      while: () => this.#waiting.length > 0,
      body: () => {
        this.#served = this.#waiting
        this.#waiting = []
        this.#invalidatedMeanwhile = false
        const commands = this.#served.map(({ command }) => command)
        const refreshed = Effect.exit(this.#behaviour.refresh(this.#state, commands, this.#usable))
        return Effect.zip(refreshed, monotonicMs)
      },
      step: ([refreshed, nowMs]) => this.#answer(refreshed, nowMs)
    })
  }

  #answer(refreshed: Exit.Exit<() => State, Unavailable>, nowMs: number): void {
    const letters = this.#served
    this.#served = []
    if (Exit.isFailure(refreshed)) {
      for (const { answer } of letters) Deferred.doneUnsafe(answer, unavailable)
      return
    }
    try {
      this.#decide(refreshed.value(), letters, nowMs)
    } catch (fault) {
      for (const { answer } of letters) Deferred.doneUnsafe(answer, unavailable)
      throw fault
    }
  }

  #decide(state: State, letters: ReadonlyArray<Letter<Command, Answer>>, nowMs: number): void {
    this.#state = state
    this.#usable = !this.#invalidatedMeanwhile
    const overtaken: Array<Letter<Command, Answer>> = []
    for (const letter of letters) {
      const decided = this.#behaviour.decideFresh(state, letter.command)
      if (decided !== undefined) Deferred.doneUnsafe(letter.answer, Exit.succeed(decided))
      else if (mayBeAskedAgain(letter, nowMs)) overtaken.push(letter)
      else Deferred.doneUnsafe(letter.answer, unavailable)
    }
    if (overtaken.length > 0) this.#waiting.unshift(...overtaken)
    this.#behaviour.onServed?.(state)
  }
}

const mayBeAskedAgain = (letter: Overtaken, nowMs: number): boolean => {
  letter.untilMs ??= nowMs + overtakenMsMax
  letter.timesOvertaken++
  return nowMs < letter.untilMs || letter.timesOvertaken < timesOvertakenMin
}
