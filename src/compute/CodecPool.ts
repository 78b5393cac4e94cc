/**
 * Parsing, converting and counting. Small bodies are done in place, where a thread hop costs more than the work; large
 * ones on codec workers, so that the event loop only moves bytes.
 */
import { Context, Effect, Layer, Schema } from "effect"
import { Piscina } from "piscina"
import type { ImagesNeeded } from "./convert-request.ts"
import { type Prepared, type PrepareTask, Unprepared } from "./prepare-call.ts"
import { type AnswerRead, AnswerUnreadable, type ReadAnswerTask } from "./read-answer.ts"
import { type CodecAnswer, type CodecTask, type CountTask, runCodecTask } from "./wire.ts"

/** Every worker is busy and the queue is full. */
export class CodecBusy extends Schema.TaggedError<CodecBusy>()("CodecBusy", {}) {}

/** A worker died, twice, of the same task. */
export class CodecFailed extends Schema.TaggedError<CodecFailed>()("CodecFailed", {
  cause: Schema.Defect()
}) {}

type CodecError = CodecBusy | CodecFailed

export class CodecPool extends Context.Service<
  CodecPool,
  {
    prepare(task: PrepareTask): Effect.Effect<Prepared | ImagesNeeded, Unprepared | CodecError>
    readAnswer(task: ReadAnswerTask): Effect.Effect<AnswerRead, AnswerUnreadable | CodecError>
    /** The local tokenizer, always on a worker. */
    countTokens(task: CountTask): Effect.Effect<number, CodecError>
    readonly queued: () => number
  }
>()("tollgate/compute/CodecPool") {
  static readonly layer = (options: { readonly threads: number; readonly queueMax: number }) =>
    Layer.effect(
      CodecPool,
      Effect.gen(function* () {
        const pool = yield* Effect.acquireRelease(
          Effect.sync(() => makePool(options)),
          (pool) => Effect.promise(() => pool.destroy())
        )
        const onWorker = (task: CodecTask): Effect.Effect<CodecAnswer, CodecError> =>
          Effect.suspend(() => runOnWorker(pool, task)).pipe(
            // A worker that died takes its task down with it: once more, on a fresh one.
            Effect.catchTag("CodecFailed", () => runOnWorker(pool, task))
          )
        return CodecPool.of({
          prepare: (task) => {
            const codecTask: CodecTask = { _tag: "Prepare", task }
            const answer = task.body.length < inPlaceBytesMax ? runInPlace(codecTask) : onWorker(codecTask)
            return Effect.flatMap(answer, (answer) => preparedOf(answer))
          },
          readAnswer: (task) => {
            const codecTask: CodecTask = { _tag: "ReadAnswer", task }
            const answer = task.bytes.length < inPlaceBytesMax ? runInPlace(codecTask) : onWorker(codecTask)
            return Effect.flatMap(answer, (answer) => answerOf(answer))
          },
          countTokens: (task) =>
            Effect.map(onWorker({ _tag: "CountTokens", task }), (answer) =>
              answer._tag === "Done" ? (answer.value as number) : 0
            ),
          queued: () => pool.queueSize
        })
      })
    )
}

/** From this size on a body is worth a thread hop; bench/codec-threshold.ts holds the measurement. */
export const inPlaceBytesMax = 128 * 1024

const makePool = (options: { readonly threads: number; readonly queueMax: number }) =>
  new Piscina<CodecTask, CodecAnswer>({
    filename: new URL("../../workers/codec.ts", import.meta.url).href,
    minThreads: 0,
    maxThreads: options.threads,
    maxQueue: options.queueMax,
    idleTimeout: 60_000
  })

const runInPlace = (task: CodecTask) => Effect.sync(() => runCodecTask(task))

const runOnWorker = (pool: Piscina<CodecTask, CodecAnswer>, task: CodecTask) =>
  Effect.tryPromise({
    // Not aborted when the caller leaves: Piscina would end the worker for it.
    try: () => pool.run(task),
    catch: (cause) =>
      cause instanceof Error && cause.message.includes("queue is at limit")
        ? new CodecBusy()
        : new CodecFailed({ cause })
  })

const preparedOf = (answer: CodecAnswer): Effect.Effect<Prepared | ImagesNeeded, Unprepared> => {
  if (answer._tag === "Unprepared") {
    return Effect.fail(
      new Unprepared({ message: answer.message, field: answer.field, details: answer.details })
    )
  }
  return answer._tag === "Done"
    ? Effect.succeed(answer.value as Prepared | ImagesNeeded)
    : Effect.die(new Error("a codec worker answered something else"))
}

const answerOf = (answer: CodecAnswer): Effect.Effect<AnswerRead, AnswerUnreadable> => {
  if (answer._tag === "Unreadable") return Effect.fail(new AnswerUnreadable({ failure: answer.failure }))
  return answer._tag === "Done"
    ? Effect.succeed(answer.value as AnswerRead)
    : Effect.die(new Error("a codec worker answered something else"))
}
