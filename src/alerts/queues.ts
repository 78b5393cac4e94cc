/** The queues that alerts go through. */
import type { NewJob, QueueTraits } from "../storage/JobQueue.ts"

export const lookQueue = "look-at-accounts"

/** What could not be delivered for so long is given up. */
export const deliveryMsMax = 24 * 3_600_000

/** One for each delivery. */
export const deliveryJob = (id: string): NewJob => ({ key: id, data: { delivery: id } })

/** About 30 attempts in a day; whether it is over is said by the delivery's own age. */
const delivery = {
  retriesMax: 100,
  retryDelaySeconds: 10,
  retryDelaySecondsMax: 3_600,
  attemptSecondsMax: 60
}

export const queueOf = {
  mail: { name: "send-mail", ...delivery },
  webhook: { name: "send-webhook", ...delivery }
} as const satisfies Record<string, QueueTraits>
