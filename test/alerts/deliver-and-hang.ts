/** A node that delivers what is due, run as a process of its own so that it can be killed. */
import { makeSealKey } from "../../src/accounts/seal-key.ts"
import { deliver } from "../../src/alerts/deliver.ts"
import { WebhookPoster } from "../../src/alerts/post-webhook.ts"
import { queueOf } from "../../src/alerts/queues.ts"
import { noProxies } from "../../src/config/choose-proxy.ts"
import { JobQueue } from "../../src/storage/JobQueue.ts"

const [databaseUrl, sealKeyHex] = process.argv.slice(2) as [string, string]
const sealKey = makeSealKey(Buffer.from(sealKeyHex, "hex"))
const queue = await JobQueue.open({ databaseUrl, warn: () => {}, pollSeconds: 0.5 })
const tools = {
  queue,
  poster: new WebhookPoster({ proxies: noProxies, privateRanges: ["127.0.0.1"] }),
  findSealKey: () => sealKey,
  mail: undefined,
  publicUrl: "http://127.0.0.1",
  onAttempt: () => {}
}
await queue.serve<{ readonly delivery: string }>(queueOf.webhook, ({ delivery }) => deliver(tools, delivery))
