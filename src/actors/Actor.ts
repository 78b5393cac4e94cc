/**
 * The one way the ledger serialises decisions: an actor owns a state and decides commands one after another.
 *
 * A decision is synchronous, so a command meets no queue while the state is at hand. Only what must wait for storage
 * (the first load, or a fresh state because the present one does not suffice) waits in the mailbox, which is bounded.
 */
export interface Behaviour<State, Command, Answer> {
  /** Decides at once. `undefined` asks for a fresh state first; not asked again once the state is `fresh`. */
  readonly decide: (state: State, command: Command, fresh: boolean) => Answer | undefined
  /** Begins to load; ends in `loaded` or `failed`. */
  readonly load: () => void
  /** The answer when the state can not be loaded or the mailbox is full. */
  readonly unavailable: Answer
  readonly mailboxCapacity: number
}

interface Letter<Command, Answer> {
  readonly command: Command
  readonly answer: (answer: Answer) => void
}

export class Actor<State, Command, Answer> {
  readonly #behaviour: Behaviour<State, Command, Answer>
  #state: State | undefined
  /** The state may be decided on; false before the first load and once storage is known to have changed. */
  #usable = false
  #loading = false
  #invalidatedMeanwhile = false
  /** Letters that the load under way will serve, and those that came too late for it. */
  #waiting: Array<Letter<Command, Answer>> = []
  #later: Array<Letter<Command, Answer>> = []

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
    return this.#waiting.length === 0 && this.#later.length === 0 && !this.#loading
  }

  ask(command: Command, answer: (answer: Answer) => void): void {
    if (this.#usable && this.#state !== undefined) {
      const decided = this.#behaviour.decide(this.#state, command, false)
      if (decided !== undefined) return answer(decided)
    }
    this.#enqueue({ command, answer })
  }

  /** Storage has changed: the next command waits for a fresh state. */
  invalidate(): void {
    this.#usable = false
    this.#invalidatedMeanwhile = this.#loading
  }

  loaded(state: State): void {
    if (!this.#loading) return
    this.#state = state
    this.#usable = !this.#invalidatedMeanwhile
    const letters = this.#finishLoading()
    for (const letter of letters) {
      letter.answer(this.#behaviour.decide(state, letter.command, true) ?? this.#behaviour.unavailable)
    }
    this.#loadAgain()
  }

  failed(): void {
    if (!this.#loading) return
    for (const letter of this.#finishLoading()) letter.answer(this.#behaviour.unavailable)
    this.#loadAgain()
  }

  #enqueue(letter: Letter<Command, Answer>): void {
    if (this.#waiting.length + this.#later.length >= this.#behaviour.mailboxCapacity) {
      return letter.answer(this.#behaviour.unavailable)
    }
    // A load that has begun may have read storage before this letter's sender wrote to it.
    if (this.#loading) {
      this.#later.push(letter)
      return
    }
    this.#waiting.push(letter)
    this.#load()
  }

  #load(): void {
    this.#loading = true
    this.#invalidatedMeanwhile = false
    this.#behaviour.load()
  }

  #finishLoading(): ReadonlyArray<Letter<Command, Answer>> {
    const letters = this.#waiting
    this.#loading = false
    this.#waiting = this.#later
    this.#later = []
    return letters
  }

  #loadAgain(): void {
    if (this.#waiting.length > 0 && !this.#loading) this.#load()
  }
}
