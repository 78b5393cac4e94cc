/** Pages that go on where an answer's `next` says: whole, and refused where no answer said so. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { startTestDashboard, type TestDashboard } from "./start-dashboard.ts"
import { accountOf } from "./own-account.ts"
import { signUpPerson, type TestPerson } from "./TestPerson.ts"

const api = "/dashboard/api"
const uuid = "0".repeat(8) + "-0000".repeat(3) + `-${"0".repeat(12)}`

let dashboard: TestDashboard
let person: TestPerson

beforeAll(async () => {
  dashboard = await startTestDashboard()
  person = await signUpPerson(dashboard, "trang@example.com")
})
afterAll(() => dashboard.stop())

const madeUp = [
  "2026-99-99 00:00:00+00",
  "2026-02-30 00:00:00+00",
  "0000-01-01 00:00:00+00",
  "2026-11-29 24:00:01+00",
  "2026-11-29 00:60:00+00",
  "2026-11-29 00:00:00+16",
  "2026-11-29 00:00:00.1234567+00",
  "2026-11-29 00000000+00:00",
  "2026-----------",
  "infinity",
  ""
]

describe("a place in a list", () => {
  it.each(madeUp)("that no answer gave is refused, with a moment such as %s", async (moment) => {
    const places = [
      [`${api}/calls?before=`, `${moment}|req_1`],
      [`${api}/alerts/deliveries?after=`, `${moment}|${uuid}`]
    ] as const
    for (const [path, place] of places) {
      const answer = await person.get(path + encodeURIComponent(place))
      assert.strictEqual(answer.status, 400, `${path}${place}`)
      assert.match(answer.body.error.message, /must be the `next` of an answer/)
    }
  })

  it("that an answer gave leads through all deliveries, each of them once", async () => {
    const accountId = await accountOf(person)
    await dashboard.sql`
      insert into alerts (id, account_id, kind, at, detail) values ('msg_1', ${accountId}, 'top_up.credited', now(), '{}')`
    // Several of one moment, and moments that differ by a microsecond.
    await dashboard.sql`
      insert into alert_deliveries (alert_id, account_id, channel, address, status, created_at)
      select 'msg_1', ${accountId}, 'mail', 'trang@example.com', 'delivered', now() + (n / 7) * interval '1 microsecond'
      from generate_series(1, 120) n`
    const seen: Array<string> = []
    for (let next: string | null = ""; next !== null;) {
      const { body } = await person.get(`${api}/alerts/deliveries?after=${encodeURIComponent(next)}`)
      seen.push(...body.deliveries.map(({ id }: { id: string }) => id))
      next = body.next
    }
    assert.lengthOf(seen, 120)
    assert.strictEqual(new Set(seen).size, 120)
  })
})
