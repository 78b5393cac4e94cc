import { assert, describe, it } from "@effect/vitest"
import type { Language } from "../../src/domain/language.ts"
import { writeAlertMail } from "../../src/alerts/alert-mail.ts"
import type { Alert } from "../../src/storage/alerts/DeliveryStore.ts"

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
    const one = { ...detail, days_left: 1 }
    assert.match(mailOf("balance.days_left", one, "en").subject, /about 1 more day$/)
    assert.include(mailOf("balance.days_left", one, "en").text, "lasts about 1 more day.")
  })

  it("writes moments as its language does, in Viet Nam's time", () => {
    const detail = { key: { name: "a" }, expires_at: "2026-12-01T17:05:00Z" }
    assert.include(mailOf("key.expiring", detail, "vi").text, "hết hạn lúc 00:05 02/12/2026.")
    assert.include(mailOf("key.expiring", detail, "en").text, "expires on 2 Dec 2026, 00:05.")
  })

  it("tells of no more money than there is, in whole dong", () => {
    const low = { balance_vnd: "499999.6", below_vnd: "500000" }
    assert.include(mailOf("balance.low", low, "vi").subject, "499.999 ₫")
    assert.include(mailOf("balance.low", low, "en").text, "499,999 ₫, below your alert level of 500,000 ₫")
    assert.include(mailOf("balance.empty", { balance_vnd: "-0.3" }, "en").text, "-1 ₫")
    assert.include(mailOf("balance.empty", { balance_vnd: "0.000001" }, "en").text, " 0 ₫")
    const large = { balance_vnd: "1200000000000.999999", below_vnd: "9223372036854.775807" }
    assert.include(
      mailOf("balance.low", large, "en").text,
      "1,200,000,000,000 ₫, below your alert level of 9,223,372,036,854 ₫"
    )
  })

  it("tells what has changed of how somebody signs in, and that something has where a later version knows what", () => {
    const subjectOf = (change: string, language: Language) =>
      mailOf("security.changed", { change }, language).subject
    assert.strictEqual(subjectOf("password", "vi"), "Tollgate: mật khẩu được đổi")
    assert.strictEqual(subjectOf("passkey_add", "en"), "Tollgate: a passkey was added")
    assert.strictEqual(subjectOf("later", "en"), "Tollgate: how you sign in was changed")
    assert.include(
      mailOf("security.changed", { change: "totp_off" }, "en").text,
      "27 Nov 2026, 07:00, for your account: your"
    )
  })

  it("has no links but its own, whatever somebody has written into a name", () => {
    const { subject, text } = mailOf(
      "key.created",
      { key: { name: "locked: http://evil.example/in, www.evil.example, v1.2" } },
      "en"
    )
    const name = "“locked: http: //evil. example/in, www. evil. example, v1.2”"
    assert.include(subject, name)
    assert.include(text, name)
    assert.deepStrictEqual(text.match(/\S+:\/\/\S+/g), [
      "https://tollgate.example/dashboard/keys",
      "https://tollgate.example/dashboard/alerts"
    ])
    const signedIn = { address: "203.0.113.7", user_agent: "Mozilla/5.0 (see +https://evil.example)" }
    assert.include(mailOf("sign_in.new", signedIn, "vi").text, "Mozilla/5.0 (see +https: //evil. example)")
    assert.include(mailOf("sign_in.new", signedIn, "vi").text, "203.0.113.7")
  })

  it("name where somebody signed in from as the page of their account does", () => {
    // As better-auth has it of each address of this network.
    const signedIn = { address: "2001:0db8:0001:0002:0000:0000:0000:0000", user_agent: "Mozilla/5.0" }
    assert.include(mailOf("sign_in.new", signedIn, "en").text, "IP address 2001:db8:1:2::/64.")
  })
})
