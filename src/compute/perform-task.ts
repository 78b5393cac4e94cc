/** What a codec worker does with a task. */
import { type SentAnswer, sent } from "./sent-answer.ts"
import { bugOf, type CodecAnswer, type CodecTask, runCodecTask } from "./wire.ts"

export const performTask = (task: CodecTask): SentAnswer => sent(task, answerOf(task))

/** A bug is told apart from a worker's death: it would only happen again. */
const answerOf = (task: CodecTask): CodecAnswer => {
  try {
    return runCodecTask(task)
  } catch (error) {
    return bugOf(error)
  }
}
