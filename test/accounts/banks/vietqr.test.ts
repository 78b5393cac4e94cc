import { assert, describe, it } from "@effect/vitest"
import { QRPay } from "vietnam-qr-pay"
import { makeOrderCode } from "../../../src/accounts/banks/order-code.ts"
import { buildVietQr } from "../../../src/accounts/banks/vietqr.ts"

const payment = { bankBin: "970436", accountNumber: "0123456789", amountVnd: 50_000n, memo: "ST7K2M9QX" }

describe("VietQR", () => {
  it("writes the text that banks' readers know, byte for byte", () => {
    assert.strictEqual(
      buildVietQr(payment),
      "00020101021238540010A00000072701240006970436011001234567890208QRIBFTTA53037045405500005802VN62130809ST7K2M9QX6304FC22"
    )
  })

  it("says the same as another implementation, for many amounts and codes", () => {
    for (let index = 0; index < 200; index++) {
      const amountVnd = 50_000n + BigInt(index * 7_919_993)
      const memo = makeOrderCode()
      const other = QRPay.initVietQR({
        bankBin: "970422",
        bankNumber: `${index}9704229209`,
        amount: amountVnd.toString(),
        purpose: memo
      })
      const ours = buildVietQr({ bankBin: "970422", accountNumber: `${index}9704229209`, amountVnd, memo })
      assert.strictEqual(ours, other.build())
      assert.isTrue(new QRPay(ours).isValid)
    }
  })

  it("takes the largest amount that fits", () => {
    assert.include(buildVietQr({ ...payment, amountVnd: 9_999_999_999_999n }), "54139999999999999")
  })

  it.each([
    ["a BIN of letters", { bankBin: "VCB436" }],
    ["an account number with spaces", { accountNumber: "0123 456" }],
    ["an amount of nothing", { amountVnd: 0n }],
    ["an amount of more digits than fit", { amountVnd: 10_000_000_000_000n }],
    ["a memo that is too long", { memo: "A".repeat(26) }],
    ["a memo with diacritics", { memo: "nạp tiền" }],
    ["an empty memo", { memo: "" }]
  ])("refuses %s", (_, change) => {
    assert.throws(() => buildVietQr({ ...payment, ...change }), RangeError)
  })
})
