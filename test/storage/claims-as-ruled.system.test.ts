/** What `claim_wallets` gives is what `domain/escrow.ts` says, on each side of every edge. */
import { assert, describe, it } from "@effect/vitest"
import { type EscrowState, grantOf } from "../../src/domain/escrow.ts"
import type { AccountId } from "../../src/domain/ids.ts"
import { claimWallets } from "../../src/storage/EscrowStore.ts"
import { leaveNode } from "../../src/storage/NodeStore.ts"
import { startTestDatabase } from "./start-database.ts"
import { withSql } from "./with-sql.ts"

const frees = [0n, 1n, 9n, 10n, 11n, 79n, 88n, 639n, 640n]
const wants = [0n, 1n, 10n]
const minimums = [-1n, 0n, 1n, 9n, 10n, 11n, 15n, 16n]
/** What another node has of the wallet. */
const parts = [
  undefined,
  { amount: 0n, isIdle: true },
  { amount: 5n, isIdle: true },
  { amount: 5n, isIdle: false }
]

const anHourMs = 3_600_000

/** Each wallet is asked for once. */
const cases = frees.flatMap((free) =>
  parts.flatMap((part) =>
    wants.flatMap((wanted) => minimums.map((minimum) => ({ free, part, wanted, minimum })))
  )
)

type Case = (typeof cases)[number]

describe("a claim", () => {
  it.each<[others: string, stateOf: (each: Case) => Omit<EscrowState, "free">, waitedMs: number]>([
    [
      "lives and has been heard of",
      ({ part }) => ({ othersIdle: part?.isIdle === true, unheard: 0n, isAlone: false }),
      anHourMs
    ],
    [
      "has not been heard of since",
      ({ part }) => ({ othersIdle: part?.isIdle === true, unheard: part?.amount ?? 0n, isAlone: false }),
      0
    ],
    ["is gone", () => ({ othersIdle: false, unheard: 0n, isAlone: true }), anHourMs]
  ])("is granted as the rule has it, where another node %s", async (_, stateOf, waitedMs) => {
    const database = await startTestDatabase()
    try {
      await withSql(database.url, async (sql) => {
        for (const token of ["one", "other"]) await sql`select register_node(${token}, '{}', '1 hour')`
        await sql`select begin_journal(1), begin_journal(2)`
        const { isAlone } = stateOf(cases[0]!)
        if (isAlone) await leaveNode(sql, { id: 2, token: "other" })
        const idOf = (index: number) => `acc_${index}` as AccountId
        const rows = cases.map(({ free, part }, index) => ({
          id: idOf(index),
          booked: String(free + (isAlone ? 0n : (part?.amount ?? 0n))),
          part: isAlone || part === undefined ? null : String(part.amount),
          exact: part?.isIdle === false
        }))
        await sql`
          with given as (
            select * from jsonb_to_recordset(${sql.json(rows)}) as r (id text, booked int8, part int8, exact boolean)
          ), account as (insert into accounts (id, email) select id, id || '@example.com' from given returning id),
          wallet as (
            insert into wallets (account_id, booked_micro_vnd) select id, booked from given join account using (id)
            returning account_id
          )
          insert into wallet_escrows (account_id, node_id, amount_micro_vnd, exact)
          select id, 2, part, exact from given join wallet on wallet.account_id = id where part is not null`
        const asks = new Map(
          cases.map(({ minimum, wanted }, index) => [idOf(index), { minimum, wanted, waitedMs }])
        )
        const claims = await claimWallets(sql, { nodeId: 1, slot: 0, session: 1 }, asks)
        const told = new Map(claims!.map((claim) => [claim.accountId, claim]))
        cases.forEach((each, index) => {
          const rule = grantOf(each, { free: each.free, ...stateOf(each) })
          const { granted, isExact, isPending, isUnheard } = told.get(idOf(index))!
          assert.deepStrictEqual({ ...each, granted, isExact, isPending, isUnheard }, { ...each, ...rule })
        })
      })
    } finally {
      await database.stop()
    }
  })
})
