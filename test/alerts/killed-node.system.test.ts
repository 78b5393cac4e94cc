/** A node that is killed between sending and saying so. */
import { assert, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { makeSealKey, sealText } from "../../src/accounts/seal-key.ts"
import { webhookPlace } from "../../src/alerts/deliver.ts"
import { queueOf } from "../../src/alerts/queues.ts"
import { makeWebhookSecret } from "../../src/alerts/sign-webhook.ts"
import { type AccountId, makeAccountId } from "../../src/domain/ids.ts"
import { addTest } from "../../src/storage/alerts/DeliveryStore.ts"
import { JobQueue } from "../../src/storage/jobs/JobQueue.ts"
import { startTestDatabase } from "../storage/start-database.ts"
import { withSql } from "../storage/with-sql.ts"
import { startReceiver } from "./receive-webhooks.ts"
import { serveWebhooks } from "./serve-webhooks.ts"
import { until } from "../until.ts"

const script = fileURLToPath(new URL("./deliver-and-hang.ts", import.meta.url))

it("leaves its delivery to another, which sends it under the same id", async () => {
  const receiver = await startReceiver()
  const database = await startTestDatabase()
  const sealKeyBytes = randomBytes(32)
  const sealKey = makeSealKey(sealKeyBytes)
  const id = await addDelivery(database.url, receiver.url, (text) =>
    sealText(sealKey, webhookPlace("whk_1"), text)
  )
  receiver.answerWith(() => "never")
  const node = spawn(process.execPath, [script, database.url, sealKeyBytes.toString("hex")], {
    stdio: ["ignore", "ignore", "inherit"]
  })
  const queue = await JobQueue.open({ databaseUrl: database.url, warn: () => {}, pollSeconds: 0.5 })
  // Whose queue it is, is said by whoever serves it first.
  await untilFound(database.url, "select from jobs.queue where name = 'send-webhook'")
  await queue.run((sql) =>
    sql.begin((transaction) =>
      queue.add(transaction, queueOf.webhook.name, [{ key: id, data: { delivery: id } }])
    )
  )
  await receiver.next(1)
  node.kill("SIGKILL")
  await once(node, "exit")
  await untilFound(database.url, `select from alert_deliveries where status = 'pending' and attempts = 0`)
  receiver.answerWith(() => 204)
  await withSql(database.url, async (sql) => {
    await sql`update jobs.job set started_on = started_on - interval '2 minutes'`
    await sql`update jobs.queue set monitor_on = null`
  })
  const closePoster = await serveWebhooks(queue, sealKey)
  await queue.tidy()
  await withSql(
    database.url,
    async (sql) => void (await sql`update jobs.job set start_after = now() where state < 'active'`)
  )
  const [first, second] = await receiver.next(2)
  assert.strictEqual(first!.headers["webhook-id"], second!.headers["webhook-id"])
  await untilFound(database.url, "select from alert_deliveries where status = 'delivered' and attempts = 1")
  await queue.close()
  await closePoster()
  await database.stop()
  receiver.stop()
})

const addDelivery = (databaseUrl: string, url: string, seal: (text: string) => Buffer) =>
  withSql(databaseUrl, async (sql) => {
    const accountId: AccountId = makeAccountId(Date.now())
    await sql`insert into accounts (id, email) values (${accountId}, 'a@example.vn')`
    await sql`insert into webhook_endpoints (id, account_id, url, kinds, sealed_secret, seal_key_id)
      values ('whk_1', ${accountId}, ${url}, '{}', ${seal(makeWebhookSecret())}, 'any')`
    return (await sql.begin((transaction) => addTest(transaction as never, accountId, "whk_1", "test")))!
  })

/** Asks until there is such a row. */
const untilFound = (databaseUrl: string, query: string) =>
  withSql(databaseUrl, (sql) => until(async () => (await sql.unsafe(query)).length > 0, 60))
