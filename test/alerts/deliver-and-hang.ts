/** A node that delivers what is due, run as a process of its own so that it can be killed. */
import { makeSealKey } from "../../src/accounts/seal-key.ts"
import { JobQueue } from "../../src/storage/jobs/JobQueue.ts"
import { serveWebhooks } from "./serve-webhooks.ts"

const [databaseUrl, sealKeyHex] = process.argv.slice(2) as [string, string]
const queue = await JobQueue.open({ databaseUrl, warn: () => {}, pollSeconds: 0.5 })
await serveWebhooks(queue, makeSealKey(Buffer.from(sealKeyHex, "hex")))
