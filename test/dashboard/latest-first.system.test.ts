/** What is numbered as it is entered is told by its numbers, also beyond the tenth: as text, 9 comes after 10. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import type { AccountId } from "../../src/domain/ids.ts"
import { findAccountsOfSender } from "../../src/storage/payments/SuggestionStore.ts"
import { accountOf } from "./own-account.ts"
import { startTestDashboard, type TestDashboard } from "./start-dashboard.ts"
import { signUpOperator, signUpPerson, type TestPerson } from "./TestPerson.ts"

const api = "/dashboard/api"

let dashboard: TestDashboard
let operator: TestPerson
beforeAll(async () => {
  dashboard = await startTestDashboard()
  operator = await signUpOperator(dashboard, "op@example.com")
})
afterAll(() => dashboard.stop())

const numbers = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, n) => from - n)

/** Credited to these accounts, one after another. */
const addTransfers = (accountIds: ReadonlyArray<AccountId>) => dashboard.sql`
  insert into bank_transfers (provider, provider_transfer_id, heard_by, direction, bank_account, amount_micro_vnd, memo,
    transferred_at, raw, status, sender_account, account_id)
  select 'sepay', 'late ' || account.n, 'webhook', 'in', '0123456789', 1000000, 'late ' || account.n, now(), '{}', 'credited',
    '99887766', account.id
  from unnest(${accountIds}::text[]) with ordinality as account (id, n) order by n`

describe("the latest comes first", () => {
  it("of price changes, page after page", async () => {
    await dashboard.sql`
      insert into price_changes (batch, model, price_vnd, from_at, made_by)
      select gen_random_uuid(), 'gpt-5.5', n, now(), 'cli' from generate_series(1, 120) n order by n`
    const page = async (more: string) =>
      (await operator.get(`${api}/operator/price-changes?model=gpt-5.5${more}`)).body
    const first = await page("")
    const second = await page(`&before=${first.next}`)
    assert.deepStrictEqual(
      [first, second].map(({ changes }) => changes.map((each: { price_vnd: number }) => each.price_vnd)),
      [numbers(120, 21), numbers(20, 1)]
    )
  })

  it("of exchange rates, of which the first are left out", async () => {
    await dashboard.sql`
      insert into exchange_rates (currency, vnd, from_day, made_by)
      select 'USD', n, '2026-01-01', 'cli' from generate_series(1, 205) n order by n`
    const { rates } = (await operator.get(`${api}/operator/exchange-rates`)).body
    assert.deepStrictEqual(
      rates.map((rate: { vnd: string }) => Number(rate.vnd)),
      numbers(205, 6)
    )
  })

  it("of transfers: in what a search finds, and in whom a sender is taken for", async () => {
    const people = [await signUpPerson(dashboard, "mot@example.com"), operator]
    const [earlier, later] = (await Promise.all(people.map(accountOf))).toSorted().toReversed() as [
      AccountId,
      AccountId
    ]
    await addTransfers([
      ...Array.from({ length: 20 }, () => earlier),
      ...Array.from({ length: 2 }, () => later)
    ])
    const { hits } = (await operator.get(`${api}/operator/search?q=late`)).body
    assert.sameMembers(
      hits.map(({ label }: { label: string }) => label),
      numbers(22, 13).map((n) => `late ${n}`)
    )
    assert.deepStrictEqual(await findAccountsOfSender(dashboard.sql, "99887766"), [later, earlier])
  })
})
