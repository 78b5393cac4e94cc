/** The ledger's side of the bridge to gateway threads: frames in, decisions, frames out. */
import { type MessagePort, receiveMessageOnPort } from "node:worker_threads"
import { Context, Effect, Exit, FiberSet, Layer } from "effect"
import type { AccountId, CallId } from "../../domain/ids.ts"
import type { MicroVnd } from "../../domain/money.ts"
import { describeFault } from "../../telemetry/describe-fault.ts"
import { Ledger } from "./Ledger.ts"
import type { LedgerShape } from "./ledger-shape.ts"
import type { AllowanceWords } from "../bridge/AllowanceWords.ts"
import { KeyDirectory } from "../bridge/KeyDirectory.ts"
import { KeyReports } from "../bridge/KeyReports.ts"
import type { LeaseDeadline } from "../bridge/LeaseDeadline.ts"
import { packAnswers, unpackQuestions } from "../bridge/frames.ts"
import type { Admission, Answer, Answered, Question } from "../bridge/protocol.ts"
import { ThreadAllowances } from "../bridge/ThreadAllowances.ts"

export interface ThreadLink {
  /** What the thread may hold by itself. */
  readonly allowances: AllowanceWords
  /** Until when it may. */
  readonly deadline: LeaseDeadline
  /** The thread is gone: all that it held is released. */
  dispose(): void
}

export class LedgerServer extends Context.Service<
  LedgerServer,
  {
    /** Serves a gateway thread over its end of a channel. */
    connect(port: MessagePort): ThreadLink
  }
>()("tollgate/ledger/LedgerServer") {
  static readonly layer = Layer.effect(
    LedgerServer,
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const keys = yield* KeyDirectory
      const reports = yield* KeyReports
      const run = yield* FiberSet.makeRuntime<never, unknown, never>()
      return LedgerServer.of({
        connect: (port) => {
          const link = new Link({ ledger, keys, reports, port, run: (answer) => void run(answer) })
          port.on("message", (frame: Uint8Array) => link.receive(frame))
          return link
        }
      })
    })
  )
}

interface LinkParts {
  readonly ledger: LedgerShape
  readonly keys: KeyDirectory["Service"]
  readonly reports: KeyReports["Service"]
  readonly port: MessagePort
  /** Waits for what can not be answered at once. */
  readonly run: (answer: Effect.Effect<unknown>) => void
}

class Link implements ThreadLink {
  readonly #ledger: LedgerShape
  readonly #keys: KeyDirectory["Service"]
  readonly #reports: KeyReports["Service"]
  readonly #port: MessagePort
  readonly #run: (answer: Effect.Effect<unknown>) => void
  readonly #allowances = new ThreadAllowances()
  /** What this thread holds beside, so that it can be released if the thread dies. */
  readonly #open = new Map<CallId, AccountId>()
  #answers: Array<Answered> = []
  #receiving = false
  #flushing = false
  #disposed = false

  constructor({ keys, ledger, port, reports, run }: LinkParts) {
    this.#reports = reports
    this.#ledger = ledger
    this.#keys = keys
    this.#port = port
    this.#run = run
  }

  get allowances(): AllowanceWords {
    return this.#allowances.words
  }

  get deadline(): LeaseDeadline {
    return this.#ledger.deadline
  }

  /** The thread's end may be told before all that it had sent: rows of calls are among that. */
  #receiveRest(): void {
    for (;;) {
      const rest = receiveMessageOnPort(this.#port)
      if (rest === undefined) return
      try {
        this.receive(rest.message as Uint8Array)
      } catch (cause) {
        queueMicrotask(() => {
          throw cause
        })
      }
    }
  }

  dispose(): void {
    this.#receiveRest()
    this.#disposed = true
    this.#port.close()
    for (const [callId, accountId] of this.#open) this.#ledger.release(accountId, callId)
    this.#ledger.wallets.endThread(this.#allowances.thread)
  }

  /** A fault in one question keeps no other from being served; then it is thrown, to be told and to have its end. */
  receive(frame: Uint8Array): void {
    let fault: { readonly cause: unknown } | undefined
    this.#receiving = true
    for (const { id, question } of unpackQuestions(frame)) {
      try {
        this.#serve(id, question)
      } catch (cause) {
        fault ??= { cause }
        this.#answer(id, { _tag: "Unavailable" })
      }
    }
    this.#receiving = false
    this.#flush()
    if (fault !== undefined) throw fault.cause
  }

  #serve(id: number, question: Question): void {
    switch (question._tag) {
      case "Admit":
        this.#open.set(question.callId, question.accountId)
        return this.#tell(id, this.#ledger.admitUnsafe(question), (admission) =>
          this.#admitted(question, admission)
        )
      case "Extend":
        if (this.#adopt(question.accountId, question.callId, question.fromAllowance)) {
          this.#open.set(question.callId, question.accountId)
        }
        return this.#tell(id, this.#ledger.extendUnsafe(question))
      case "Settle":
        return this.#settle(id, question)
      case "Check":
        return this.#tell(id, this.#ledger.checkUnsafe(question, question.callId))
      case "Identify":
        return this.#keys.identify(question.secretHash, (found) =>
          this.#answer(id, found === null ? { _tag: "Unavailable" } : { _tag: "Identified", identity: found })
        )
      case "Report":
        return this.#tell(
          id,
          Effect.map(this.#reports.answer(question), (report) =>
            report === undefined ? { _tag: "Unavailable" } : { _tag: "Report", ...report }
          )
        )
      case "FindStoredCall":
        return this.#tell(id, this.#ledger.stored.findCall(question))
      case "FindStoredItems":
        return this.#tell(id, this.#ledger.stored.findItems(question))
    }
  }

  /** Answers now where the answer is there, else when it has come. */
  #tell<A extends Answer>(id: number, answer: Effect.Effect<A>, change?: (answer: A) => Answer): void {
    const send = (given: A) => this.#answer(id, change === undefined ? given : change(given))
    if (Exit.isExit(answer)) {
      const exit = answer as Exit.Exit<A>
      return Exit.isSuccess(exit) ? send(exit.value) : this.#answer(id, { _tag: "Unavailable" })
    }
    this.#run(
      Effect.map(answer, send).pipe(
        Effect.catchDefect((fault) =>
          Effect.andThen(
            Effect.logError(`What a call asked was not answered: ${describeFault(fault)}`),
            Effect.sync(() => this.#answer(id, { _tag: "Unavailable" }))
          )
        )
      )
    )
  }

  /** A call that was held for out of the thread's allowance holds by itself from now on. */
  #adopt(accountId: AccountId, callId: CallId, amount: MicroVnd): boolean {
    if (amount === 0n) return false
    this.#ledger.adopt(accountId, { thread: this.#allowances.thread, callId, amount })
    return true
  }

  #admitted(question: Extract<Question, { _tag: "Admit" }>, admission: Admission): Answer {
    const { accountId, callId } = question
    // The call may have ended while its admission waited for the database.
    if (this.#disposed || !this.#open.has(callId)) {
      this.#ledger.release(accountId, callId)
      return { _tag: "Unavailable" }
    }
    if (admission._tag !== "Admitted") {
      this.#open.delete(callId)
      return admission
    }
    return { ...admission, allowance: this.#ledger.allow(this.#allowances, question) }
  }

  #settle(id: number, { fromAllowance, record }: Extract<Question, { _tag: "Settle" }>): void {
    const { accountId, callId } = record
    const adopted = this.#adopt(accountId, callId, fromAllowance)
    if (!adopted) this.#open.delete(callId)
    this.#ledger.settle(record, (outcome) => {
      if (id !== 0) this.#answer(id, outcome === "unpaid" ? { _tag: "Unpaid" } : { _tag: "Settled" })
    })
    if (adopted) this.#ledger.wallets.fillUp(accountId, this.#allowances.thread)
  }

  #answer(id: number, answer: Answer): void {
    if (this.#disposed) return
    this.#answers.push({ id, answer })
    if (this.#receiving || this.#flushing) return
    // One commit answers many calls in one turn: they go back in one frame.
    this.#flushing = true
    queueMicrotask(() => {
      this.#flushing = false
      this.#flush()
    })
  }

  #flush(): void {
    if (this.#answers.length === 0 || this.#disposed) return
    const frame = packAnswers(this.#answers)
    this.#answers = []
    this.#port.postMessage(frame, [frame.buffer])
  }
}
