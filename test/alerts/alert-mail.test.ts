import { assert, describe, it } from "@effect/vitest"
import { type Language } from "../../src/alerts/mail-words.ts"
import { writeAlertMail } from "../../src/alerts/alert-mail.ts"
import type { Alert } from "../../src/storage/DeliveryStore.ts"

const mailOf = (kind: string, detail: Alert["detail"], language: Language) =>
  writeAlertMail(
    { kind, detail, atMs: Date.UTC(2026, 10, 27) } as Alert,
    { language, memberOf: undefined },
    "https://tollgate.example"
  )

describe("the mail of an alert", () => {
  it("writes days as its language does", () => {
    const detail = { balance_vnd: "40000", days_left: 0.7, vnd_per_day: "60000" }
    assert.include(mailOf("balance.days_left", detail, "vi").subject, "0,7 ngày")
    assert.include(mailOf("balance.days_left", detail, "en").subject, "0.7 more days")
  })

  it("tells of no more money than there is, in whole dong", () => {
    const low = { balance_vnd: "499999.6", below_vnd: "500000" }
    assert.include(mailOf("balance.low", low, "vi").subject, "499.999 ₫")
    assert.include(mailOf("balance.low", low, "en").text, "499,999 ₫, below your alert level of 500,000 ₫")
    assert.include(mailOf("balance.empty", { balance_vnd: "-0.3" }, "en").text, "-1 ₫")
    assert.include(mailOf("balance.empty", { balance_vnd: "0.000001" }, "en").text, " 0 ₫")
  })
})
