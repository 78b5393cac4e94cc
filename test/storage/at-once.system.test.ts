/** Of two who end access at the same moment neither fails: whatever both change is locked in one order. */
import { assert, describe, it } from "@effect/vitest"
import { afterEach, beforeEach } from "vitest"
import { deliver, type DeliveryTools } from "../../src/alerts/deliver.ts"
import { AccountId, type CallId, KeyId, makeCallId } from "../../src/domain/ids.ts"
import { setAccountStatus } from "../../src/storage/AccountStore.ts"
import { addDeliveries } from "../../src/storage/alerts/AlertStore.ts"
import { type BudgetAsk, holdBudgets, releaseBudgets } from "../../src/storage/keys/BudgetStore.ts"
import { changeAddress, closeAccount } from "../../src/storage/people/change-person.ts"
import { commitCalls } from "../../src/storage/calls/commit-calls.ts"
import type { Sql, Transaction } from "../../src/storage/Database.ts"
import { addTest } from "../../src/storage/alerts/DeliveryStore.ts"
import { acceptInvitation } from "../../src/storage/people/InvitationStore.ts"
import { setMemberBudget } from "../../src/storage/keys/MemberBudgetStore.ts"
import { changeRole, type Removed, removeMember } from "../../src/storage/people/MemberStore.ts"
import { deleteWebhooks } from "../../src/storage/alerts/WebhookStore.ts"
import { callOf } from "../accounts/write-calls.ts"
import { until } from "../until.ts"
import { startTestDatabase, type TestDatabase } from "./start-database.ts"
import { openSql } from "./with-sql.ts"
import { asNode } from "./write-as-node.ts"

/** The person is a member of the account. */
const [person, account, other] = ["acc_a", "acc_b", "acc_c"].map((id) => AccountId.make(id))
const [firstKey, laterKey] = ["key_1", "key_2"].map((id) => KeyId.make(id))
const change = { accountId: account!, personId: person!, by: account!, actor: account! }

let database: TestDatabase
let sql: ReturnType<typeof openSql>
beforeEach(async () => {
  database = await startTestDatabase()
  sql = openSql(database.url, 6)
  for (const id of [person!, account!, other!]) {
    await sql`insert into people (id, name, email, email_verified) values (${id}, ${id}, ${`${id}@example.vn`}, true)`
    await sql`insert into credentials (id, subject, provider, person_id, updated_at)
      values (${id}, ${id}, 'credential', ${id}, now())`
  }
  await sql`insert into members (account_id, person_id, role, invited_by)
    values (${account!}, ${person!}, 'admin', ${account!})`
  await sql`insert into management_tokens (id, account_id, made_by, name, secret_hash, hint, scopes, expires_at)
    values ('tok_1', ${account!}, ${person!}, 'a', 'a', 'a', '{usage:read}', now() + interval '1 day')`
})
afterEach(async () => {
  await sql.end()
  await database.stop()
})

/** Made by the person; `ids` in the order of their rows. */
const makeKeys = async (owner: AccountId, ...ids: ReadonlyArray<KeyId>) => {
  for (const [slot, id] of ids.entries())
    await sql`insert into keys (id, account_id, made_by, name, slot, secret_hash, hint)
      values (${id}, ${owner}, ${person!}, 'a', ${slot}, sha256(${id}::text::bytea), 'a')`
}

/** And something that it wants to hear of. */
const makeWebhook = async () => {
  await sql`insert into webhook_endpoints (id, account_id, url, kinds, sealed_secret, seal_key_id)
    values ('hook_1', ${account!}, 'https://example.vn', '{key.expiring}', 'a', 'a')`
  await sql`insert into alerts (id, account_id, kind, detail) values ('msg_1', ${account!}, 'key.expiring', '{}')`
}

const countWaiting = async (): Promise<number> => {
  const [row] = await sql`
    select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return row!["count"]
}

const untilWaiting = (count: number) => until(async () => (await countWaiting()) >= count)

/** Each waits for the one before, the first for what `hold` does; then all go on. */
const inTurn = async (
  hold: (transaction: Transaction) => Promise<unknown>,
  ...acts: ReadonlyArray<() => Promise<unknown>>
): Promise<ReadonlyArray<unknown>> => {
  const running: Array<Promise<unknown>> = []
  await sql.begin(async (transaction) => {
    await hold(transaction)
    for (const act of acts) {
      running.push(act().catch((error: Error) => error.message))
      await untilWaiting(running.length)
    }
  })
  return Promise.all(running)
}

/** To the account, of which they are no member any more; answers how it is accepted. */
const invitePerson = async () => {
  await sql`delete from members`
  const invitation = { id: "inv_1", accountId: account!, role: "member" } as const
  await sql`insert into invitations (id, account_id, email, role, token_hash, invited_by, expires_at)
    values ('inv_1', ${account!}, 'a', 'member', sha256('a'), ${account!}, now() + interval '1 day')`
  return () => acceptInvitation(sql, invitation, person!)
}

const holdToken = (transaction: Transaction) =>
  transaction`select from management_tokens where id = 'tok_1' for update`
const holdAccount = (transaction: Transaction) =>
  transaction`select from accounts where id = ${account!} for update`
const close = () => closeAccount(sql, person!)
const remove = () => removeMember(sql, change, true)

describe("at the same moment", () => {
  it("somebody closes their account and is removed from another", async () => {
    const [closed, removed] = await inTurn(holdToken, close, remove)
    assert.typeOf(closed, "bigint")
    assert.strictEqual(removed, "no member")
  })

  it("somebody closes their account and is given another role in another", async () => {
    const holdMember = (transaction: Transaction) => transaction`select from members for update`
    const [closed, changed] = await inTurn(holdMember, close, () => changeRole(sql, change, "member"))
    assert.typeOf(closed, "bigint")
    assert.strictEqual(changed, "no member")
  })

  it("somebody closes their account and has accepted an invitation to another", async () => {
    const accept = await invitePerson()
    const [accepted] = await inTurn(async (transaction) => {
      await holdAccount(transaction)
      await close()
    }, accept)
    assert.strictEqual(accepted, "over")
  })

  it("somebody accepts an invitation to another account and, before that is done, closes theirs", async () => {
    const accept = await invitePerson()
    let isClosed = false
    const acts = await sql.begin(async (transaction) => {
      await transaction`select from invitations for update`
      const accepting = accept()
      await untilWaiting(1)
      const closing = close().finally(() => (isClosed = true))
      await until(async () => isClosed || (await countWaiting()) > 1)
      return [accepting, closing]
    })
    const [accepted, closed] = await Promise.all(acts)
    assert.strictEqual(accepted, "accepted")
    assert.typeOf(closed, "bigint")
    assert.isEmpty(await sql`select from members`)
  })

  it("somebody with keys of their own is removed with their other keys, and closes their account", async () => {
    await makeKeys(account!, firstKey!)
    await makeKeys(person!, laterKey!)
    const [removed, closed] = await inTurn(holdToken, remove, close)
    assert.typeOf((removed as Removed).eventId, "bigint")
    assert.typeOf(closed, "bigint")
    const left = await sql`select from keys where status = 'active'`
    assert.lengthOf(left, 0)
  })

  it("keys are revoked in the order in which calls lock them", async () => {
    await makeKeys(person!, laterKey!, firstKey!)
    const { closing } = await sql.begin(async (transaction) => {
      await transaction`select from keys where id = ${firstKey!} for update`
      const closing = close()
      await untilWaiting(1)
      // Else it would have this one already, for which a call may wait that has the first.
      await sql`select from keys where id = ${laterKey!} for no key update nowait`
      return { closing }
    })
    assert.typeOf(await closing, "bigint")
  })

  it("calls of a key end without a cost on one node, and another node asks for the next one's budget", async () => {
    await makeKeys(account!, firstKey!)
    await sql`update keys set budget_micro_vnd = 1000000000, budget_period = 'total'`
    const atMs = Date.now()
    const [earlier, later, next] = [0, 1, 2].map((ms) => makeCallId(atMs + ms))
    const ask = (callId: CallId): BudgetAsk => ({ keyId: firstKey!, callId, atMs, minimum: 1n, wanted: 5n })
    await asNode(sql, async (node) => {
      // The later one's row is before the other's.
      for (const callId of [later!, earlier!]) await holdBudgets(sql, node, [ask(callId)])
      const records = [earlier!, later!].map((callId) =>
        callOf(account!, 0, { callId, atMs, keyId: firstKey!, status: 502, cost: 0n })
      )
      await commitCalls(sql, node, { records, escrows: [] })
      let isReleased = false
      const { held, released } = await sql.begin(async (transaction) => {
        await transaction`select from key_holds where call_id = ${later!} for update`
        const held = holdBudgets(sql, node, [ask(next!)])
        await untilWaiting(1)
        const released = sql
          .begin(async (other) => {
            // As where the table holds much.
            await other`set local enable_seqscan = off`
            await other`set local enable_bitmapscan = off`
            await releaseBudgets(other, [earlier!, later!])
          })
          .then(() => (isReleased = true))
        await until(async () => isReleased || (await countWaiting()) > 1)
        return { held, released }
      })
      assert.isTrue(await released)
      assert.deepStrictEqual(await held, [{ callId: next!, held: 5n, shortOf: undefined }])
      const left = await sql`select call_id from key_holds`
      assert.deepStrictEqual([...left], [{ call_id: next! }])
    })
  })

  it("an owner among the staff is given a budget as a member of another's account, and some account is disabled", async () => {
    await sql`update accounts set staff_role = 'owner' where id <> ${other!}`
    const budget = { amount: 1_000_000n, period: "day" } as const
    const [set, disabled] = await inTurn(
      holdAccount,
      () => setMemberBudget(sql, change, budget),
      () => setAccountStatus(sql, other!, "disabled", account!)
    )
    assert.deepStrictEqual(set, { eventId: undefined })
    assert.typeOf(disabled, "bigint")
  })

  it("some account is disabled, becomes an owner's among the staff, and another owner is disabled", async () => {
    await sql`update accounts set staff_role = 'owner' where id <> ${person!}`
    let isGiven = false
    const acts = await sql.begin(async (transaction) => {
      await transaction`select from accounts where id = ${other!} for update`
      const first = setAccountStatus(sql, person!, "disabled", other!)
      await untilWaiting(1)
      const giving = sql`update accounts set staff_role = 'owner' where id = ${person!}`.then(
        () => (isGiven = true)
      )
      await until(async () => isGiven || (await countWaiting()) > 1)
      const waiting = await countWaiting()
      const second = setAccountStatus(sql, account!, "disabled", other!)
      await untilWaiting(waiting + 1)
      return [first, second, giving]
    })
    const [first, second] = await Promise.all(acts)
    assert.typeOf(first, "bigint")
    assert.typeOf(second, "bigint")
  })

  it("two take one address", async () => {
    const email = "nguoi-moi@example.vn"
    const take = (accountId: AccountId) => () => changeAddress(sql, { accountId, email, isVerified: true })
    const [taken] = await inTurn(
      (transaction) => transaction`update people set email = ${email} where id = ${other!}`,
      take(person!)
    )
    assert.isFalse(taken)
  })

  it("an account is told of something and deletes its webhook", async () => {
    await makeWebhook()
    const { added, deleting } = await sql.begin(async (transaction) => {
      const added = await addDeliveries(transaction, ["msg_1"], false)
      const deleting = sql.begin((other) => deleteWebhooks(other, account!, other`true`, account!))
      await untilWaiting(1)
      return { added, deleting }
    })
    assert.strictEqual(await deleting, 1)
    const queue = { run: <A>(query: (sql: Sql) => Promise<A>) => query(sql) }
    const tools = { queue, onAttempt: () => {} } as unknown as DeliveryTools
    assert.strictEqual(await deliver(tools, added[0]!.id), "done")
    const [left] = await sql`select status, outcome from alert_deliveries`
    assert.deepStrictEqual(left, { status: "given_up", outcome: "deleted" })
  })

  it("a webhook is tried, or told of something, and deleted", async () => {
    await makeWebhook()
    const [tried, told] = await inTurn(
      (transaction) => deleteWebhooks(transaction, account!, transaction`true`, account!),
      () => sql.begin((transaction) => addTest(transaction, account!, "hook_1", "webhook.test")),
      () => sql.begin((transaction) => addDeliveries(transaction, ["msg_1"], false))
    )
    assert.isUndefined(tried)
    assert.lengthOf(told as ReadonlyArray<unknown>, 0)
  })
})
