/** A delivery over settings that are read again while it is under way. */
import { assert, it } from "@effect/vitest"
import { randomBytes } from "node:crypto"
import { makeSealKey, sealText } from "../../src/accounts/seal-key.ts"
import { deliver, type DeliveryTools, webhookPlace } from "../../src/alerts/deliver.ts"
import { noProxies } from "../../src/config/choose-proxy.ts"
import { startOddServer } from "../accounts/start-odd-mail-server.ts"
import { makeWebhookSecret } from "../../src/alerts/sign-webhook.ts"

it("a webhook is posted by whoever posts once its secrets are read", async () => {
  const sealKey = makeSealKey(randomBytes(32))
  const sealed = sealText(sealKey, webhookPlace("wh_1"), makeWebhookSecret())
  const alert = { id: "msg_1", kind: "top_up.credited", atMs: 0, detail: {} }
  const due = { channel: "webhook", address: "https://a.example", endpointId: "wh_1", triedMs: 0, alert }
  const posted: Array<string> = []
  const posterCalled = (name: string) => ({
    post: async () => {
      posted.push(name)
      return { isDelivered: true, outcome: "204" }
    }
  })
  const answers = [
    () => due,
    () => {
      Object.assign(tools, { poster: posterCalled("after") })
      return [{ sealed, sealKeyId: sealKey.id }]
    },
    () => undefined
  ]
  const tools = {
    queue: { run: async () => answers.shift()!() },
    poster: posterCalled("before"),
    findSealKey: () => sealKey,
    mail: undefined,
    publicUrl: "http://localhost",
    onAttempt: () => {}
  } as unknown as DeliveryTools
  assert.strictEqual(await deliver(tools, "d_1"), "done")
  assert.deepStrictEqual(posted, ["after"])
})

it("a mail beyond those of an hour waits, and is given up after a day", async () => {
  const due = { id: "d_1", channel: "mail", address: "a@b.example", isTooMany: true }
  const over = (triedMs: number) => {
    const told: Array<string> = []
    const answers = [{ ...due, triedMs }, undefined]
    const tools = {
      queue: { run: async () => answers.shift() },
      mail: undefined,
      onAttempt: (_: string, outcome: string) => told.push(outcome)
    } as unknown as DeliveryTools
    return deliver(tools, "d_1").then((outcome) => ({ outcome, told }))
  }
  assert.deepStrictEqual(await over(0), { outcome: "again", told: [] })
  assert.deepStrictEqual(await over(24 * 3_600_000), { outcome: "done", told: ["given_up"] })
})

it("a mail is given up at once where nobody has its address, and tried again where it is refused for another reason", async () => {
  const over = async (refusal: string) => {
    const { port } = await startOddServer({ RCPT: refusal })
    const alert = { id: "msg_1", kind: "top_up.credited", atMs: 0, detail: {} }
    const due = { id: "d_1", channel: "mail", address: "a@b.example", language: "en", triedMs: 0, alert }
    const told: Array<string> = []
    const answers = [due, undefined]
    const tools = {
      queue: { run: async () => answers.shift() },
      mail: { url: `smtp://127.0.0.1:${port}`, from: "tollgate@example.vn", proxies: noProxies },
      publicUrl: "http://localhost",
      onAttempt: (_: string, outcome: string) => told.push(outcome)
    } as unknown as DeliveryTools
    return [await deliver(tools, "d_1"), ...told]
  }
  assert.deepStrictEqual(await over("550 5.1.1 no such user"), ["done", "given_up"])
  assert.deepStrictEqual(await over("550 relay not permitted"), ["again", "failed"])
})
