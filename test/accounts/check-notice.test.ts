import { assert, describe, it } from "@effect/vitest"
import { BadText } from "../../src/accounts/check-text.ts"
import { checkNotice } from "../../src/accounts/maintenance.ts"
import { maintenanceAt, messageToCallers, type Notice } from "../../src/domain/maintenance.ts"

const nowMs = Date.parse("2026-11-24T00:00:00Z")
const notice = (fields: Partial<Notice> = {}): Notice => ({
  vi: "Bảo trì",
  en: undefined,
  untilMs: undefined,
  ...fields
})

describe("a notice", () => {
  it("is taken without surrounding spaces", () => {
    const checked = checkNotice(notice({ vi: "  Bảo trì lúc 22 giờ ", en: " At 10 pm " }), nowMs)
    assert.deepStrictEqual(checked, notice({ vi: "Bảo trì lúc 22 giờ", en: "At 10 pm" }))
  })

  it("has 300 characters at most, of whatever size", () => {
    assert.notInstanceOf(checkNotice(notice({ vi: "🛠".repeat(300), en: "ế".repeat(300) }), nowMs), BadText)
    assert.instanceOf(checkNotice(notice({ vi: "🛠".repeat(301) }), nowMs), BadText)
    assert.instanceOf(checkNotice(notice({ en: "a".repeat(301) }), nowMs), BadText)
  })

  it.each(["", " ", "a\nb", "a\tb", "a\u0000b", "a\u001b[31mb", "a\u2028b", "a\u202eb", "a\ud800b"])(
    "is refused where it is %j",
    (text) => {
      assert.instanceOf(checkNotice(notice({ vi: text }), nowMs), BadText)
      assert.instanceOf(checkNotice(notice({ en: text }), nowMs), BadText)
    }
  )

  it("ends within the coming year, if it is said when", () => {
    assert.notInstanceOf(checkNotice(notice({ untilMs: nowMs + 1 }), nowMs), BadText)
    assert.instanceOf(checkNotice(notice({ untilMs: nowMs }), nowMs), BadText)
    assert.instanceOf(checkNotice(notice({ untilMs: nowMs + 367 * 86_400_000 }), nowMs), BadText)
    assert.instanceOf(checkNotice(notice({ untilMs: Number.NaN }), nowMs), BadText)
  })

  it("is told to callers in English where there is English", () => {
    assert.strictEqual(messageToCallers(notice({ en: "Maintenance" })), "Maintenance")
    assert.strictEqual(messageToCallers(notice()), "Bảo trì")
    assert.isUndefined(messageToCallers(undefined))
  })
})

describe("what is said at a moment", () => {
  const planned = notice({ untilMs: nowMs })

  it("is all of it before the planned end", () => {
    for (const isOn of [true, false])
      assert.deepStrictEqual(maintenanceAt({ isOn, notice: planned }, nowMs - 1), { isOn, notice: planned })
  })

  it("is from then on nothing of an announcement, and all but the end of maintenance", () => {
    assert.deepStrictEqual(maintenanceAt({ isOn: false, notice: planned }, nowMs), {
      isOn: false,
      notice: undefined
    })
    assert.deepStrictEqual(maintenanceAt({ isOn: true, notice: planned }, nowMs), {
      isOn: true,
      notice: notice()
    })
  })
})
