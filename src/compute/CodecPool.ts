/**
 * Parsing, converting and counting. Small bodies are done in place, where a thread hop costs more than the work; large
 * ones on codec workers, so that the event loop only moves bytes.
 */
import { Context, Effect, Layer } from "effect"
import type { PreparedPlain } from "../formats/plain-pairs.ts"
import { CodecWorkers, type CodecError } from "./CodecWorkers.ts"
import type { Prepared, PrepareTask } from "./prepare-call.ts"
import type { PlainTask } from "./prepare-plain.ts"
import { type AnswerRead, AnswerUnreadable, type ReadAnswerTask } from "./read-answer.ts"
import { Unprepared } from "./read-body.ts"
import { inPlaceBytesMax, shareBytes } from "./share-bytes.ts"
import { type CodecAnswer, type CodecTask, type CodecValue, type CountTask, runCodecTask } from "./wire.ts"

export interface CodecPoolOptions {
  readonly threads: number
  readonly queueMax: number
  /** What the workers run; tests have workers that misbehave. */
  readonly worker?: URL
}

export class CodecPool extends Context.Service<
  CodecPool,
  {
    /** The name of the model that a body asks for. */
    readModel(body: Uint8Array): Effect.Effect<string, Unprepared | CodecError>
    prepare(task: PrepareTask): Effect.Effect<Prepared, Unprepared | CodecError>
    preparePlain(task: PlainTask): Effect.Effect<PreparedPlain, Unprepared | CodecError>
    readAnswer(task: ReadAnswerTask): Effect.Effect<AnswerRead, AnswerUnreadable | CodecError>
    /** The local tokenizer, always on a worker. */
    countTokens(task: CountTask): Effect.Effect<number, Unprepared | CodecError>
    readonly queued: () => number
  }
>()("tollgate/compute/CodecPool") {
  static readonly layer = (options: CodecPoolOptions) =>
    Layer.effect(
      CodecPool,
      Effect.gen(function* () {
        const context = yield* Effect.context<never>()
        const warn = (message: string) => void Effect.runForkWith(context)(Effect.logWarning(message))
        const { queueMax, threads, worker = workerUrl } = options
        const workers = yield* Effect.acquireRelease(
          Effect.sync(() => new CodecWorkers(worker, threads, queueMax, warn)),
          (workers) => Effect.promise(() => workers.close())
        )
        const run = (task: CodecTask, size: number): Effect.Effect<CodecValue, CodecFailure> =>
          size < inPlaceBytesMax ? runHere(task) : Effect.flatMap(workers.run(task), succeeded)
        return CodecPool.of({
          readModel: (body) => requested<string>(run({ _tag: "ReadModel", task: { body } }, body.length)),
          prepare: (task) =>
            requested<Prepared>(
              run({ _tag: "Prepare", task: withSharedImages(task) }, task.body.length + imageBytes(task))
            ),
          preparePlain: (task) =>
            requested<PreparedPlain>(
              run(
                { _tag: "PreparePlain", task: withSharedImage(task) },
                task.body.length + (task.image?.bytes.length ?? 0)
              )
            ),
          readAnswer: (task) => {
            const isLarge = task.bytes.length >= inPlaceBytesMax
            const shared = isLarge ? { ...task, bytes: shareBytes(task.bytes) } : task
            return run({ _tag: "ReadAnswer", task: shared }, task.bytes.length) as Effect.Effect<
              AnswerRead,
              AnswerUnreadable | CodecError
            >
          },
          countTokens: (task) =>
            requested<number>(Effect.flatMap(workers.run({ _tag: "CountTokens", task }), succeeded)),
          queued: () => workers.queued
        })
      })
    )
}

const workerUrl = new URL("../../workers/codec.ts", import.meta.url)

type CodecFailure = Unprepared | AnswerUnreadable | CodecError

/** Has its result at once, so that nobody need wait for it. */
const runHere = (task: CodecTask) => succeeded(runCodecTask(task))

const succeeded = (answer: CodecAnswer): Effect.Effect<CodecValue, Unprepared | AnswerUnreadable> => {
  switch (answer._tag) {
    case "Done":
      return Effect.succeed(answer.value)
    case "Unprepared":
      return Effect.fail(
        new Unprepared({ message: answer.message, field: answer.field, details: answer.details })
      )
    case "Unreadable":
      return Effect.fail(new AnswerUnreadable({ failure: answer.failure }))
    case "Bug":
      return Effect.die(new Error(`in a codec worker: ${answer.stack}`))
  }
}

/** Of a request's task: its value and its failure are of the task's kind. */
const requested = <A extends CodecValue>(
  answer: Effect.Effect<CodecValue, CodecFailure>
): Effect.Effect<A, Unprepared | CodecError> => answer as Effect.Effect<A, Unprepared | CodecError>

const imageBytes = ({ images }: PrepareTask): number => {
  let size = 0
  for (const { bytes } of images?.values() ?? []) size += bytes.length
  return size
}

const withSharedImages = (task: PrepareTask): PrepareTask =>
  task.images === undefined || imageBytes(task) < inPlaceBytesMax
    ? task
    : {
        ...task,
        images: new Map(
          [...task.images].map(([url, image]) => [url, { ...image, bytes: shareBytes(image.bytes) }])
        )
      }

const withSharedImage = (task: PlainTask): PlainTask =>
  task.image === undefined || task.image.bytes.length < inPlaceBytesMax
    ? task
    : { ...task, image: { ...task.image, bytes: shareBytes(task.image.bytes) } }
