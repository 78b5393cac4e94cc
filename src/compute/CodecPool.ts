/**
 * Parsing, converting and counting. What is soon done is done in place, where a thread hop costs more than the work; all
 * else on codec workers, in turn by account, so that the event loop only moves bytes.
 */
import { Context, Effect, Layer } from "effect"
import type { AccountId } from "../domain/ids.ts"
import type { PreparedPlain } from "../formats/plain-pairs.ts"
import { entryOf } from "../program/entries.ts"
import { CodecWorkers, type CodecError, type CodecWorkersOptions } from "./CodecWorkers.ts"
import type { Prepared, PrepareTask } from "./prepare-call.ts"
import type { PlainTask } from "./prepare-plain.ts"
import { type AnswerRead, AnswerUnreadable, type ReadAnswerTask } from "./read-answer.ts"
import { Unprepared } from "./read-body.ts"
import { inPlaceBytesMax, shareBytes } from "./share-bytes.ts"
import { TurnRoom } from "./TurnRoom.ts"
import {
  bytesOf,
  type CodecAnswer,
  type CodecTask,
  type CodecValue,
  type CountTask,
  runCodecTaskInPlace
} from "./codec-tasks.ts"

export interface CodecPoolOptions extends Pick<CodecWorkersOptions, "threads" | "queueMax" | "taskCpuMsMax"> {
  /** What the workers run; tests have workers that misbehave. */
  readonly worker?: URL
}

/** Each task is an account's. */
export class CodecPool extends Context.Service<
  CodecPool,
  {
    /** The name of the model that a body asks for. */
    readModel(account: AccountId, body: Uint8Array): Effect.Effect<string, Unprepared | CodecError>
    prepare(account: AccountId, task: PrepareTask): Effect.Effect<Prepared, Unprepared | CodecError>
    preparePlain(account: AccountId, task: PlainTask): Effect.Effect<PreparedPlain, Unprepared | CodecError>
    readAnswer(
      account: AccountId,
      task: ReadAnswerTask
    ): Effect.Effect<AnswerRead, AnswerUnreadable | CodecError>
    /** The local tokenizer, always on a worker. */
    countTokens(account: AccountId, task: CountTask): Effect.Effect<number, Unprepared | CodecError>
    readonly queued: () => number
    /** Workers that died or hung, since the start. */
    readonly workersEnded: () => number
  }
>()("tollgate/compute/CodecPool") {
  static readonly layer = (options: CodecPoolOptions) =>
    Layer.effect(
      CodecPool,
      Effect.gen(function* () {
        const context = yield* Effect.context<never>()
        const warn = (message: string) => void Effect.runForkWith(context)(Effect.logWarning(message))
        const workers = yield* Effect.acquireRelease(
          Effect.sync(() => new CodecWorkers({ worker: entryOf("codec"), ...options, warn })),
          (workers) => Effect.promise(() => workers.close())
        )
        const onWorker = (account: AccountId, task: CodecTask) =>
          Effect.flatMap(workers.run(account, withSharedBytes(task)), succeeded)
        const room = new TurnRoom(inPlaceBytesMax)
        /** What is done in place has its result at once, so that nobody need wait for it. */
        const inPlace = (account: AccountId, task: CodecTask): Effect.Effect<CodecValue, CodecFailure> => {
          const answer = runCodecTaskInPlace(task)
          return answer === undefined ? onWorker(account, task) : succeeded(answer)
        }
        const run = (account: AccountId, task: CodecTask): Effect.Effect<CodecValue, CodecFailure> => {
          const bytes = bytesOf(task)
          // The model's name is found in a fraction of the time.
          const isForNow = task._tag === "ReadModel" ? bytes < inPlaceBytesMax : room.take(bytes)
          if (isForNow) return inPlace(account, task)
          return room.mayWait(account, bytes)
            ? Effect.flatMap(room.wait(account, bytes), () => inPlace(account, task))
            : onWorker(account, task)
        }
        return CodecPool.of({
          readModel: (account, body) =>
            requested<string>(run(account, { _tag: "ReadModel", task: { body } })),
          prepare: (account, task) => requested<Prepared>(run(account, { _tag: "Prepare", task })),
          preparePlain: (account, task) =>
            requested<PreparedPlain>(run(account, { _tag: "PreparePlain", task })),
          readAnswer: (account, task) =>
            run(account, { _tag: "ReadAnswer", task }) as Effect.Effect<
              AnswerRead,
              AnswerUnreadable | CodecError
            >,
          countTokens: (account, task) => requested<number>(onWorker(account, { _tag: "CountTokens", task })),
          queued: () => workers.queued,
          workersEnded: () => workers.ended
        })
      })
    )
}

type CodecFailure = Unprepared | AnswerUnreadable | CodecError

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

/** Nothing of it is copied again when it is sent, nor when it is sent to a second worker. */
const withSharedBytes = (codecTask: CodecTask): CodecTask => {
  switch (codecTask._tag) {
    case "ReadAnswer": {
      const { task } = codecTask
      return { _tag: "ReadAnswer", task: { ...task, bytes: shareBytes(task.bytes) } }
    }
    case "Prepare":
      return { _tag: "Prepare", task: withSharedFiles(codecTask.task) }
    case "PreparePlain":
      return { _tag: "PreparePlain", task: withSharedImage(codecTask.task) }
    case "CountTokens":
      return { _tag: "CountTokens", task: withSharedBody(codecTask.task) }
    case "ReadModel":
      return { _tag: "ReadModel", task: withSharedBody(codecTask.task) }
  }
}

const withSharedBody = <T extends { readonly body: Uint8Array }>(task: T): T => ({
  ...task,
  body: shareBytes(task.body)
})

const withSharedFiles = (task: PrepareTask): PrepareTask => {
  const shared = withSharedBody(task)
  if (task.files === undefined) return shared
  const files = [...task.files].map(
    ([url, file]) => [url, { ...file, bytes: shareBytes(file.bytes) }] as const
  )
  return { ...shared, files: new Map(files) }
}

const withSharedImage = (task: PlainTask): PlainTask => {
  const shared = withSharedBody(task)
  return task.image === undefined
    ? shared
    : { ...shared, image: { ...task.image, bytes: shareBytes(task.image.bytes) } }
}
