/** A node's part in deliveries: it posts the webhooks that are due. */
import type { SealKey } from "../../src/accounts/seal-key.ts"
import { deliver } from "../../src/alerts/deliver.ts"
import { WebhookPoster } from "../../src/alerts/post-webhook.ts"
import { queueOf } from "../../src/alerts/queues.ts"
import { noProxies } from "../../src/config/choose-proxy.ts"
import type { JobQueue } from "../../src/storage/jobs/JobQueue.ts"

/** Answers how to close what it posts with. */
export const serveWebhooks = async (queue: JobQueue, sealKey: SealKey): Promise<() => Promise<void>> => {
  const poster = new WebhookPoster({ proxies: noProxies, privateRanges: ["127.0.0.1"] })
  const tools = {
    queue,
    poster,
    findSealKey: () => sealKey,
    mail: undefined,
    publicUrl: "http://127.0.0.1",
    onAttempt: () => {}
  }
  await queue.serve<{ readonly delivery: string }>(queueOf.webhook, ({ delivery }) =>
    deliver(tools, delivery)
  )
  return () => poster.close()
}
