import { assert, describe, it } from "@effect/vitest"
import { hearPayos, readPayment, signatureOf } from "../../../src/accounts/banks/payos.ts"
import { payosBody } from "../../dashboard/payos-stub.ts"

const nowMs = Date.UTC(2026, 10, 20, 7, 2, 37)
/** Of the test cases that payOS publishes with its library. */
const publishedKey = "test_checksum_key"

const payment = {
  accountNumber: "0123456789",
  amount: 2_000,
  counterAccountBankId: "01202001",
  counterAccountBankName: null,
  counterAccountName: "NGUYEN VAN A",
  counterAccountNumber: "9876543210",
  description: "TRANSACTION DESCRIPTION",
  reference: "FT-REFERENCE",
  transactionDateTime: "2025-12-12T09:00:00+07:00",
  virtualAccountName: null,
  virtualAccountNumber: null
}

const link = {
  id: "payment-link-id",
  orderCode: 0,
  amount: 2_000,
  amountPaid: 2_000,
  amountRemaining: 0,
  status: "PAID",
  createdAt: "2025-12-12T09:00:00+07:00",
  transactions: [payment],
  canceledAt: null,
  cancellationReason: null
}

const webhook = {
  accountNumber: "0123456789",
  amount: 20_000,
  description: "thanh toan",
  reference: "FT-REFERENCE",
  transactionDateTime: "2025-12-12 09:00:00",
  virtualAccountNumber: "",
  counterAccountBankId: "01202001",
  counterAccountBankName: "",
  counterAccountName: "NGUYEN VAN A",
  counterAccountNumber: "9876543210",
  virtualAccountName: "",
  currency: "VND",
  orderCode: 0,
  paymentLinkId: "payment-link-id",
  code: "00",
  desc: "success"
}

describe("payOS's signature", () => {
  it.each([
    ["a webhook", webhook, "302b3becca1672dff99daafae2965f40e48ea3ca39453e4bf37fbcc26807a0e8"],
    ["a paid request", link, "6af5e2c9a28256c140169ed624114b43295915d7b6e2fa6278b17a7c43aadefd"],
    [
      "a request of two payments",
      { ...link, transactions: [payment, payment] },
      "04ebbe221724d2b848c3f39b2db3311cc554167f55bd2fe2cb7b86b6bfdeadaa"
    ],
    [
      "a request without payments",
      { ...link, amountPaid: 0, amountRemaining: 2_000, status: "PENDING", transactions: [] },
      "33093364158b143baa9ecd2e705d9a2a5a5d391a3cab7cb0a371588b3731368f"
    ],
    [
      "what is asked of it",
      {
        amount: 2_000,
        cancelUrl: "http://localhost",
        description: "Thanh toán đơn hàng",
        orderCode: 0,
        returnUrl: "http://localhost"
      },
      "d8b7b0e5d19edfe7b1f53dedeb8d1c7c2b62fabd7eb320dbc514c58f13e9e2c5"
    ]
  ])("of %s is the one that its own library makes", (_, data, expected) => {
    assert.strictEqual(signatureOf(data, publishedKey), expected)
  })

  it("is the one of its documentation's example", () => {
    const data = {
      orderCode: 123,
      amount: 3_000,
      description: "VQRIO123",
      accountNumber: "12345678",
      reference: "TF230204212323",
      transactionDateTime: "2023-02-04 18:25:00",
      currency: "VND",
      paymentLinkId: "124c33293c43417ab7879e14c8d9eb18",
      code: "00",
      desc: "Thành công",
      counterAccountBankId: "",
      counterAccountBankName: "",
      counterAccountName: "",
      counterAccountNumber: "",
      virtualAccountName: "",
      virtualAccountNumber: ""
    }
    const key = "1a54716c8f0efb2744fb28b6e38b25da7f67a925d98bc1c18bd8faaecadd7675"
    const signature = "412e915d2871504ed31be63c8f62a149a4410d34c4c42affc9006ef9917eaa03"
    assert.strictEqual(signatureOf(data, key), signature)
    const body = JSON.stringify({ code: "00", desc: "success", success: true, data, signature })
    // It is what tries the address of a webhook: answered, and nothing else.
    assert.deepStrictEqual(
      hearPayos(key)(Buffer.from(body), () => "", nowMs),
      {
        _tag: "Transfers",
        transfers: [],
        unread: 0
      }
    )
  })
})

const hear = (body: string, key = publishedKey) => hearPayos(key)(Buffer.from(body), () => "", nowMs)
const statusOf = (heard: ReturnType<typeof hear>) => (heard._tag === "Refused" ? heard.status : 200)

describe("payOS's webhook", () => {
  it("reads a payment as the payment request tells of it later, under one id", () => {
    const heard = hear(payosBody({ ...webhook, orderCode: 4_711 }, publishedKey))
    const [told] = heard._tag === "Transfers" ? heard.transfers : []
    assert.deepInclude(told, {
      provider: "payos",
      providerTransferId: "4711/FT-REFERENCE",
      request: 4_711n,
      amount: 20_000_000_000n,
      bankAccounts: ["0123456789"],
      transferredAt: new Date("2025-12-12T02:00:00Z"),
      sender: { name: "NGUYEN VAN A", account: "9876543210", bank: "01202001" }
    })
    const listed = readPayment({ ...payment, amount: 20_000 }, 4_711, undefined, nowMs)
    assert.strictEqual(listed?.providerTransferId, told?.providerTransferId)
    assert.deepStrictEqual(listed?.transferredAt, told?.transferredAt)
  })

  it("knows a payment without a reference by its time and amount, from both alike", () => {
    const bare = { reference: "", amount: 20_000 }
    const heard = hear(payosBody({ ...webhook, ...bare, orderCode: 4_711 }, publishedKey))
    const [told] = heard._tag === "Transfers" ? heard.transfers : []
    const listed = readPayment({ ...payment, ...bare }, 4_711, undefined, nowMs)
    assert.isDefined(told)
    assert.strictEqual(listed?.providerTransferId, told.providerTransferId)
  })

  it.each([null, "", "sắp tới"])(
    "knows a payment with neither a reference nor a time (%j) each time that it is told of",
    (transactionDateTime) => {
      const bare = { ...payment, reference: null, transactionDateTime }
      const idAt = (ms: number) => readPayment(bare, 4_711, undefined, ms)?.providerTransferId
      assert.strictEqual(idAt(nowMs + 300_000), idAt(nowMs))
      assert.notStrictEqual(
        readPayment({ ...bare, amount: 3_000 }, 4_711, undefined, nowMs)?.providerTransferId,
        idAt(nowMs)
      )
    }
  )

  const body = payosBody({ ...webhook, orderCode: 4_711 }, publishedKey)

  it.each([
    ["another key's signature", payosBody({ ...webhook, orderCode: 4_711 }, "another")],
    ["an amount that was changed", body.replace('"amount":20000', '"amount":20001')],
    ["no signature", body.replace("signature", "signed")],
    ["no data", '{"code":"00","signature":""}'],
    ["rubbish", "{"]
  ])("refuses %s", (_, forged) => {
    assert.notStrictEqual(forged, body)
    assert.strictEqual(statusOf(hear(forged)), 401)
  })

  it("takes no payment from what did not succeed, and refuses what is none", () => {
    const failed = hear(payosBody({ ...webhook, orderCode: 4_711, code: "01" }, publishedKey))
    assert.deepStrictEqual(failed, { _tag: "Transfers", transfers: [], unread: 0 })
    for (const odd of [{ orderCode: "4711" }, { orderCode: 4_711, amount: -1 }, { orderCode: 1.5 }])
      assert.strictEqual(statusOf(hear(payosBody({ ...webhook, ...odd }, publishedKey))), 400)
  })
})
