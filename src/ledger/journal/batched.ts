/** Asks that wait while the journal is busy are asked in one statement, and each hears its own answer. */
import { Effect } from "effect"
import { type Unavailable, unavailable } from "../../actors/Actor.ts"
import type { Journal } from "./Journal.ts"
import type { JournalStore } from "./JournalStore.ts"

interface Waiting<Ask, Answer> {
  readonly ask: Ask
  readonly resume: (answer: Effect.Effect<Answer, Unavailable>) => void
}

/**
 * `work` answers in the order of the asks. Fails when the database can not be asked. `onAnswer` hears of each answer that
 * counts, before the database is asked or told anything else.
 */
export const batched = <Ask, Answer>(
  journal: Journal["Service"],
  work: (store: JournalStore, asks: ReadonlyArray<Ask>) => Promise<ReadonlyArray<Answer>>,
  onAnswer?: (answer: Answer) => void
): ((ask: Ask) => Effect.Effect<Answer, Unavailable>) => {
  let waiting: Array<Waiting<Ask, Answer>> = []

  const askAll = () => {
    let taken: ReadonlyArray<Waiting<Ask, Answer>> | undefined
    const take = () => {
      const all = taken ?? waiting
      if (taken === undefined) waiting = []
      taken = all
      return all
    }
    journal.between({
      run: async (store) => {
        const asked = take()
        const answers = await work(
          store,
          asked.map(({ ask }) => ask)
        )
        // Too late: they were told that it failed.
        if (taken !== asked) return
        // Another of the same turn may fail yet; these have their answer.
        taken = []
        if (onAnswer !== undefined) answers.forEach(onAnswer)
        asked.forEach(({ resume }, index) => resume(Effect.succeed(answers[index]!)))
      },
      failed: () => {
        const unanswered = take()
        taken = []
        for (const { resume } of unanswered) resume(unavailable)
      }
    })
  }

  return (ask) =>
    Effect.callback((resume) => {
      waiting.push({ ask, resume })
      if (waiting.length === 1) askAll()
    })
}
