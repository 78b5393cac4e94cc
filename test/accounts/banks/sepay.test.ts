import { assert, describe, it } from "@effect/vitest"
import { createHmac } from "node:crypto"
import { hearSepay, readSepayPage } from "../../../src/accounts/banks/sepay.ts"
import { sepayBody } from "../../dashboard/sepay-event.ts"

const nowMs = Date.UTC(2026, 10, 20, 7, 2, 37)
const secret = "a secret"

const signed = (body: string, { whenMs = nowMs, key = secret } = {}) => {
  const timestamp = String(Math.floor(whenMs / 1_000))
  const signature = createHmac("sha256", key).update(`${timestamp}.${body}`).digest("hex")
  return { "x-sepay-signature": `sha256=${signature}`, "x-sepay-timestamp": timestamp }
}

const hear = (
  body: string,
  headers: Readonly<Record<string, string>>,
  secrets = { webhookSecret: secret as string | undefined, apiKey: undefined as string | undefined }
) => hearSepay(secrets)(Buffer.from(body), (name) => headers[name] ?? "", nowMs)

const refusalOf = (heard: ReturnType<typeof hear>) =>
  heard._tag === "Refused" ? [heard.status, heard.reason] : undefined

describe("SePay's webhook", () => {
  const body = sepayBody({ id: 7, content: "nap tien", transferAmount: 2_277_000 })

  it("reads a signed transfer, its time being Viet Nam's", () => {
    const heard = hear(body, signed(body))
    assert.strictEqual(heard._tag, "Transfers")
    if (heard._tag !== "Transfers") return
    assert.deepStrictEqual(heard.transfers, [
      {
        provider: "sepay",
        providerTransferId: "7",
        direction: "in",
        bankAccounts: ["0123456789"],
        amount: 2_277_000_000_000n,
        memo: "nap tien",
        transferredAt: new Date("2026-11-20T07:02:37Z"),
        sender: { name: "", account: "", bank: "" },
        bankReference: "",
        shownReference: "MBVCB.3278907687",
        raw: body
      }
    ])
  })

  it.each([
    ["no signature", {}],
    ["another secret's signature", signed(body, { key: "another" })],
    ["the signature of another body", signed(`${body} `)],
    ["a signature cut short", { ...signed(body), "x-sepay-signature": "sha256=abc" }],
    ["a timestamp that was changed", { ...signed(body), "x-sepay-timestamp": String(nowMs / 1_000 + 1) }],
    ["a timestamp that is no number", { ...signed(body), "x-sepay-timestamp": "now" }],
    ["a signature of 6 minutes ago", signed(body, { whenMs: nowMs - 360_000 })],
    ["a signature of 6 minutes ahead", signed(body, { whenMs: nowMs + 360_000 })],
    ["the key form, where signatures are set up", { authorization: "Apikey " }]
  ])("refuses %s", (_, headers) => {
    assert.strictEqual(refusalOf(hear(body, headers))?.[0], 401)
  })

  it("takes a signature of 4 minutes ago", () => {
    assert.strictEqual(hear(body, signed(body, { whenMs: nowMs - 240_000 }))._tag, "Transfers")
  })

  it("takes the key where only a key is set up, and that key alone", () => {
    const secrets = { webhookSecret: undefined, apiKey: "the-key" }
    assert.strictEqual(hear(body, { authorization: "Apikey the-key" }, secrets)._tag, "Transfers")
    assert.strictEqual(refusalOf(hear(body, { authorization: "Apikey the-kez" }, secrets))?.[0], 401)
    assert.strictEqual(refusalOf(hear(body, {}, secrets))?.[0], 401)
  })

  it("refuses everything when neither is set up", () => {
    const secrets = { webhookSecret: undefined, apiKey: undefined }
    assert.strictEqual(refusalOf(hear(body, signed(body), secrets))?.[0], 401)
  })

  it.each([
    ["not JSON", "{"],
    ["a list", "[]"],
    ["no id", sepayBody({ id: "" })],
    ["a fraction of a number", sepayBody({ transferAmount: 1.5 })],
    ["an amount that may be two", sepayBody({ transferAmount: "500.000" })],
    ["a negative amount", sepayBody({ transferAmount: -5 })],
    ["another direction", sepayBody({ transferType: "both" })]
  ])("refuses a signed body that is %s", (_, rubbish) => {
    assert.strictEqual(refusalOf(hear(rubbish, signed(rubbish)))?.[0], 400)
  })

  it("tells ids apart that no double does", () => {
    const idOf = (id: string) => {
      const long = sepayBody({ id: 7 }).replace('"id":7,', `"id":${id},`)
      const heard = hear(long, signed(long))
      return heard._tag === "Transfers" ? heard.transfers[0]?.providerTransferId : heard.reason
    }
    for (const id of ["9007199254740992", "9007199254740993", "92233720368547758070"])
      assert.strictEqual(idOf(id), id)
  })

  it("knows the virtual account beside the account", () => {
    const virtual = sepayBody({ subAccount: "VCB0011ABC004" })
    const heard = hear(virtual, signed(virtual))
    assert.deepStrictEqual(heard._tag === "Transfers" && heard.transfers[0]?.bankAccounts, [
      "0123456789",
      "VCB0011ABC004"
    ])
  })
})

describe("SePay's list of transactions", () => {
  it("gives the transfers the webhook would have told of", () => {
    const row = {
      id: "49682",
      account_number: "0071000888888",
      transaction_date: "2026-11-05 19:59:48",
      amount_out: "0.00",
      amount_in: "18067000.00",
      transaction_content: "DUONG THUY ANH chuyen tien",
      sub_account: null
    }
    const reference = "FT26309000001\\BNK"
    const out = { ...row, id: "49683", amount_in: "0.00", amount_out: "5000.00", reference_number: reference }
    const transfers = readSepayPage(
      JSON.stringify({ status: 200, transactions: [row, out] }),
      nowMs
    )?.transfers
    assert.deepStrictEqual(
      transfers?.map(({ amount, direction, providerTransferId }) => [providerTransferId, direction, amount]),
      [
        ["49682", "in", 18_067_000_000_000n],
        ["49683", "out", 5_000_000_000n]
      ]
    )
    assert.deepStrictEqual(
      transfers?.map(({ bankReference, shownReference }) => [bankReference, shownReference]),
      [
        ["", ""],
        ["", reference]
      ]
    )
    assert.deepStrictEqual(transfers?.[0]?.transferredAt, new Date("2026-11-05T12:59:48Z"))
  })

  it("tells ids apart that no double does", () => {
    const row = (id: string) => `{"id":${id},"amount_in":"5.00","amount_out":"0.00"}`
    const list = `{"transactions":[${row("9007199254740992")},${row("9007199254740993")}]}`
    assert.deepStrictEqual(
      readSepayPage(list, nowMs)?.transfers.map(({ providerTransferId }) => providerTransferId),
      ["9007199254740992", "9007199254740993"]
    )
  })

  it("is undefined when the answer is no list", () => {
    assert.isUndefined(readSepayPage('{"status":401}', nowMs))
    assert.isUndefined(readSepayPage("<html>", nowMs))
  })
})
