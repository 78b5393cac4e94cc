/** A mail server that looks through what it is given before it says that it takes it. */
import { assert, it } from "@effect/vitest"
import { onTestFinished } from "vitest"
import { noProxies } from "../../src/config/choose-proxy.ts"
import { deliver, type DeliveryTools } from "../../src/alerts/deliver.ts"
import { startMailServer } from "./start-mail-server.ts"

it("is waited for, and given the mail once", async () => {
  const server = await startMailServer()
  onTestFinished(server.stop)
  server.answerAfter(25_000)
  const alert = { id: "msg_1", kind: "top_up.credited", atMs: 0, detail: {} }
  const due = { id: "d_1", channel: "mail", address: "a@b.example", language: "en", triedMs: 0, alert }
  const answers = [due, undefined]
  const told: Array<string> = []
  const tools = {
    queue: { run: async () => answers.shift() },
    mail: { url: server.url, from: "tollgate@example.vn", proxies: noProxies },
    publicUrl: "http://localhost",
    onAttempt: (_: string, outcome: string) => told.push(outcome)
  } as unknown as DeliveryTools
  assert.strictEqual(await deliver(tools, "d_1"), "done")
  assert.deepStrictEqual([told, server.taken.length], [["delivered"], 1])
})
