/** Runs what alerts need: the look at accounts, one node a minute, and deliveries, on every node. */
import type { SealKeys } from "../accounts/SealKeys.ts"
import { notSet } from "../config/settings-parts.ts"
import type { Settings } from "../config/settings.ts"
import { testKind } from "../domain/alert-kinds.ts"
import type { AccountId } from "../domain/ids.ts"
import { addTest, beginAgain } from "../storage/alerts/DeliveryStore.ts"
import { isSetOtherwise } from "../storage/NodeSettingsStore.ts"
import type { JobQueue } from "../storage/jobs/JobQueue.ts"
import { deliver, type DeliveryTools } from "./deliver.ts"
import { lookAtAccounts, type OnTopUps } from "./look-at-accounts.ts"
import { WebhookPoster } from "./post-webhook.ts"
import { deliveryJob, lookQueue, queueOf } from "./queues.ts"

export interface AlertsOptions {
  readonly queue: JobQueue
  readonly settings: Settings
  readonly sealKeys: SealKeys["Service"]
  /** Hears of new top-ups, in the transaction that notices them. */
  readonly onTopUps: OnTopUps
  readonly onAttempt: DeliveryTools["onAttempt"]
}

export interface Alerts {
  /** What is wrong with a webhook's address, if anything. */
  readonly problemOfUrl: (url: string) => string | undefined
  /** Delivers once more; false where there is nothing to deliver. */
  readonly resend: (accountId: AccountId, deliveryId: string) => Promise<boolean>
  /** Sends a test to a webhook; its delivery, or `undefined` where the account has no such webhook. */
  readonly test: (accountId: AccountId, webhookId: string) => Promise<string | undefined>
  /** From now on webhooks lead where these settings let them, and calls may take as long as they say. */
  readonly apply: (settings: Settings) => void
  readonly close: () => Promise<void>
}

export const startAlerts = async ({
  onAttempt,
  onTopUps,
  queue,
  sealKeys,
  settings
}: AlertsOptions): Promise<Alerts> => {
  const { mail, proxies, publicUrl } = settings
  const tools = {
    queue,
    poster: openPoster(settings),
    findSealKey: sealKeys.find,
    mail: mail && { ...mail, proxies },
    publicUrl,
    onAttempt
  }
  let { limits } = settings
  const look = async () => {
    const { callTimeoutSeconds } = limits
    // What this node notices is told once: where it can not send mail, one that can does.
    const sendsMail = mail !== undefined || (await queue.run((sql) => isSetOtherwise(sql, { mail: notSet })))
    return lookAtAccounts(queue, { sendsMail, callTimeoutSeconds }, onTopUps)
  }
  for (const traits of Object.values(queueOf))
    await queue.serve<{ readonly delivery: string }>(traits, ({ delivery }) => deliver(tools, delivery))
  await queue.everyMinute(lookQueue, look)
  return {
    problemOfUrl: (url) => tools.poster.problemOf(url),
    resend: (accountId, id) =>
      queue.run((sql) =>
        sql.begin(async (transaction) => {
          const channel = await beginAgain(transaction, accountId, id)
          if (channel === undefined) return false
          await queue.addNow(transaction, queueOf[channel].name, deliveryJob(id, accountId))
          return true
        })
      ),
    test: (accountId, webhookId) =>
      queue.run((sql) =>
        sql.begin(async (transaction) => {
          const id = await addTest(transaction, accountId, webhookId, testKind)
          if (id !== undefined)
            await queue.add(transaction, queueOf.webhook.name, [deliveryJob(id, accountId)])
          return id
        })
      ),
    apply: (next) => {
      void tools.poster.retire()
      tools.poster = openPoster(next)
      limits = next.limits
    },
    close: () => tools.poster.close()
  }
}

const openPoster = ({ proxies, webhooks }: Settings) =>
  new WebhookPoster({ proxies, privateRanges: webhooks.privateRanges })
