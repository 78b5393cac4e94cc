/** The queues that alerts go through. */
import type { AccountId } from "../domain/ids.ts"
import { deliveryQueues } from "../storage/alerts/DeliveryStore.ts"
import type { NewJob, QueueTraits } from "../storage/jobs/JobQueue.ts"

export const lookQueue = "look-at-accounts"

/** What could not be delivered for so long is given up. */
export const deliveryMsMax = 24 * 3_600_000

/** One for each delivery, whose account owns it: a receiver that hangs holds up nobody else's. */
export const deliveryJob = (id: string, accountId: AccountId): NewJob => ({
  key: id,
  data: { delivery: id },
  owner: accountId
})

/** About 30 attempts in a day; whether it is over is said by the delivery's own age. */
const delivery = {
  retriesMax: 100,
  retryDelaySeconds: 10,
  retryDelaySecondsMax: 3_600
}

export const queueOf = {
  // By one server, which takes only so many connections, and its time.
  mail: {
    name: deliveryQueues.mail,
    atOnceMax: 10,
    attemptSecondsMax: 900,
    silenceSecondsMax: 30,
    ...delivery
  },
  webhook: { name: deliveryQueues.webhook, atOnceMax: 50, attemptSecondsMax: 60, ...delivery }
} as const satisfies Record<string, QueueTraits>
