/** What a codec worker does with a task. */
import { describeFault } from "../telemetry/describe-fault.ts"
import { type SentAnswer, sent } from "./sent-answer.ts"
import { type CodecAnswer, type CodecTask, runCodecTask } from "./codec-tasks.ts"

export const performTask = (task: CodecTask): SentAnswer => sent(task, answerOf(task))

/** A bug is told apart from a worker's death: it would only happen again. */
const answerOf = (task: CodecTask): CodecAnswer => {
  try {
    return runCodecTask(task)
  } catch (error) {
    return { _tag: "Bug", stack: describeFault(error) }
  }
}
