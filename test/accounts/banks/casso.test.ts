import { assert, describe, it } from "@effect/vitest"
import { createHmac } from "node:crypto"
import { type CassoSecrets, hearCasso } from "../../../src/accounts/banks/casso.ts"
import { cassoBody, cassoSignature } from "../../dashboard/casso-event.ts"

const nowMs = Date.UTC(2026, 10, 20, 7, 2, 37)
const secret = "mgExMrjj4i7a1p8Cs6LmFbpCd8lbw4sSX4LZXPag7TKazeIogtR90tvWYTkwQbvs"

/** Casso's own worked example. */
const example = JSON.stringify({
  error: 0,
  data: {
    id: 0,
    reference: "MA_GIAO_DICH_THU_NGHIEM",
    description: "giao dich thu nghiem",
    amount: 599_000,
    runningBalance: 25_000_000,
    transactionDateTime: "2024-10-03 15:06:37",
    accountNumber: "88888888",
    bankName: "VPBank",
    bankAbbreviation: "VPB",
    virtualAccountNumber: "",
    virtualAccountName: "",
    counterAccountName: "NGUYEN VAN A",
    counterAccountNumber: "8888888888",
    counterAccountBankId: "970415",
    counterAccountBankName: "VietinBank"
  }
})
const exampleSignature =
  "t=1727948258788,v1=ed0a4bd2e826d5cb69988cdb141e6c1a080e21f3b57eb72cd78192220042b9e7dde0868fc667faea8e224900fa7904e7c88dfa098032fb2d6b6996856e8b7ff3"

const hear = (
  body: string,
  headers: Readonly<Record<string, string>>,
  secrets: CassoSecrets = { webhookSecret: secret, secureToken: undefined }
) => hearCasso(secrets)(Buffer.from(body), (name) => headers[name] ?? "", nowMs)

const signed = (body: string, key = secret) => ({ "x-casso-signature": cassoSignature(body, key) })
const statusOf = (heard: ReturnType<typeof hear>) => (heard._tag === "Refused" ? heard.status : 200)
const transfersOf = (heard: ReturnType<typeof hear>) =>
  heard._tag === "Transfers" ? heard.transfers : assert.fail(heard.reason)

describe("Casso's webhook", () => {
  it("takes the documentation's own example, in whatever order its keys come", () => {
    const { data, error } = JSON.parse(example) as { data: Record<string, unknown>; error: number }
    const turned = JSON.stringify({ data: Object.fromEntries(Object.entries(data).toReversed()), error })
    for (const body of [example, turned]) {
      const [transfer, ...others] = transfersOf(hear(body, { "x-casso-signature": exampleSignature }))
      assert.deepStrictEqual(others, [])
      assert.deepStrictEqual(transfer, {
        provider: "casso",
        providerTransferId: "0",
        direction: "in",
        amount: 599_000_000_000n,
        bankAccounts: ["88888888"],
        memo: "giao dich thu nghiem",
        transferredAt: new Date("2024-10-03T08:06:37Z"),
        sender: { name: "NGUYEN VAN A", account: "8888888888", bank: "VietinBank" },
        bankReference: "MA_GIAO_DICH_THU_NGHIEM",
        shownReference: "",
        raw: body
      })
    }
  })

  const body = cassoBody({ id: 7, amount: 2_277_000 })

  it.each([
    ["no signature", {}],
    ["another secret's signature", signed(body, "another")],
    ["the signature of another body", signed(cassoBody({ id: 7, amount: 2_277_001 }))],
    ["a signature cut short", { "x-casso-signature": signed(body)["x-casso-signature"].slice(0, -1) }],
    ["another time", { "x-casso-signature": signed(body)["x-casso-signature"].replace("t=", "t=1") }],
    ["the token of version 1, where signatures are set up", { "secure-token": "" }]
  ])("refuses %s", (_, headers) => {
    assert.strictEqual(statusOf(hear(body, headers)), 401)
  })

  it("refuses what is nested too deep to be sorted, and what is no object", () => {
    const deep = `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`
    const headers = { "x-casso-signature": `t=1,v1=${"0".repeat(128)}` }
    for (const odd of [deep, "[]", "{", '"a"']) assert.strictEqual(statusOf(hear(odd, headers)), 401)
  })

  it("can not be told apart by a key that objects have of themselves", () => {
    const odd = '{"__proto__":{"a":1},"data":{"amount":5,"id":1}}'
    const message = `1.${odd}`
    const v1 = createHmac("sha512", secret).update(message).digest("hex")
    assert.strictEqual(statusOf(hear(odd, { "x-casso-signature": `t=1,v1=${v1}` })), 200)
  })

  it("tells ids apart that no double does", () => {
    for (const id of ["9007199254740992", "9007199254740993"]) {
      const long = body.replace('"id":7,', `"id":${id},`)
      assert.strictEqual(transfersOf(hear(long, signed(long)))[0]?.providerTransferId, id)
    }
  })

  it("takes the token where only a token is set up, and that token alone", () => {
    const secrets = { webhookSecret: undefined, secureToken: "the-token" }
    assert.strictEqual(statusOf(hear(body, { "secure-token": "the-token" }, secrets)), 200)
    assert.strictEqual(statusOf(hear(body, { "secure-token": "the-tokem" }, secrets)), 401)
    assert.strictEqual(statusOf(hear(body, {}, secrets)), 401)
    assert.strictEqual(statusOf(hear(body, signed(body), { ...secrets, secureToken: undefined })), 401)
  })

  it("reads several transfers of version 1, money that leaves among them, and counts what it can not read", () => {
    const row = {
      tid: "BANK_1",
      description: "nap tien",
      cusum_balance: 20_000_000,
      when: "2020-10-14 00:34:57",
      bank_sub_acc_id: "0123456789",
      virtualAccount: "VA1",
      corresponsiveName: "TRAN VAN B",
      corresponsiveAccount: "9",
      corresponsiveBankName: "ACB"
    }
    const accounts = ["0123456789", "VA1"]
    const sender = { name: "TRAN VAN B", account: "9", bank: "ACB" }
    const several = JSON.stringify({
      error: 0,
      data: [
        { ...row, id: 1, amount: 599_000 },
        { ...row, id: 2, amount: -193_000 },
        { ...row, id: 3, amount: 1.5 },
        { ...row, amount: 5 }
      ]
    })
    const heard = hear(several, signed(several))
    assert.strictEqual(heard._tag === "Transfers" && heard.unread, 2)
    assert.deepStrictEqual(
      transfersOf(heard).map((transfer) => [
        transfer.providerTransferId,
        transfer.direction,
        transfer.amount,
        transfer.bankAccounts,
        transfer.sender
      ]),
      [
        ["1", "in", 599_000_000_000n, accounts, sender],
        ["2", "out", 193_000_000_000n, accounts, sender]
      ]
    )
  })

  it("takes a day without a time for its beginning in Viet Nam", () => {
    const day = cassoBody({ id: 8, amount: 5_000, transactionDateTime: "2026-11-18" })
    const [transfer] = transfersOf(hear(day, signed(day)))
    assert.deepStrictEqual(transfer?.transferredAt, new Date("2026-11-17T17:00:00Z"))
  })

  it.each([
    ["no transfer", '{"error":0}'],
    ["no id", cassoBody({ id: "" })],
    ["no amount", cassoBody({ id: 1, amount: "much" })]
  ])("refuses a signed body with %s", (_, rubbish) => {
    assert.strictEqual(statusOf(hear(rubbish, signed(rubbish))), 400)
  })
})
