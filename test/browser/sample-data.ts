/** A believable account for screenshots and page checks: keys, a month of calls, top-ups, transfers. */
import { type CallRecord, noExtras } from "../../src/domain/call.ts"
import { type AccountId, type KeyId, makeCallId } from "../../src/domain/ids.ts"
import { commitUnclaimed } from "../storage/write-as-node.ts"
import type { TestDashboard } from "../dashboard/start-dashboard.ts"
import { accountOf } from "../dashboard/own-account.ts"
import { type TestPerson, tellTransfer } from "../dashboard/TestPerson.ts"
import { withSql } from "../storage/with-sql.ts"

const models = [
  ["claude-sonnet-5", 6500],
  ["gpt-6.1-sol", 2400],
  ["claude-opus-5", 6500],
  ["deepseek-v4-flash", 1500],
  ["svc/nova-pro", 1800]
] as const

/** Writes calls as the ledger does. */
export const writeCalls = (databaseUrl: string, calls: ReadonlyArray<CallRecord>): Promise<void> =>
  withSql(databaseUrl, async (sql) => void (await commitUnclaimed(sql, calls)))

export const sampleCall = (accountId: string, keyId: string, index: number, atMs: number): CallRecord => {
  const [model, price] = models[(index * index) % models.length]!
  const failed = index % 23 === 7
  const inputTokens = 300 + ((index * 7919) % 4200)
  const outputTokens = failed ? 0 : 80 + ((index * 104_729) % 900)
  return {
    callId: makeCallId(atMs),
    atMs,
    accountId: accountId as AccountId,
    keyId: keyId as KeyId,
    endpoint: model.startsWith("gpt") ? "chat_completions" : "messages",
    modelRequested: model,
    model,
    stream: index % 3 !== 0,
    status: failed ? (index % 2 === 0 ? 502 : 429) : 200,
    errorType: failed ? (index % 2 === 0 ? "api_error" : "rate_limit_error") : "",
    inputTokens,
    outputTokens,
    units: 1,
    estimated: false,
    perMtokVnd: price,
    perRequestVnd: null,
    cost: failed ? 0n : BigInt(price) * BigInt(inputTokens + outputTokens),
    latencyMs: 420 + ((index * 613) % 5200),
    firstByteMs: 180 + ((index * 331) % 700),
    storedIdHash: null,
    storedItemHashes: [],
    extras: noExtras
  }
}

/** What was paid in first was there before all that was called: nothing is called on credit. */
export const dateTopUps = (databaseUrl: string, atMs: number): Promise<void> =>
  withSql(databaseUrl, async (sql) => {
    await sql`alter table ledger_entries disable trigger ledger_entries_append_only`
    await sql`update ledger_entries set at = ${new Date(atMs)} where source = 'top_up'`
    await sql`alter table ledger_entries enable trigger ledger_entries_append_only`
  })

/** Three keys, calls over a month, a paid and a waiting top-up. */
export const fillAccount = async (
  dashboard: TestDashboard,
  person: TestPerson,
  callCount = 420
): Promise<void> => {
  const accountId = await accountOf(person)
  const first = await person.post("/dashboard/api/top-ups", { amount: 2_000_000 })
  await tellTransfer(dashboard, {
    id: `s-${accountId}`,
    content: first.body.code,
    transferAmount: 2_000_000
  })
  await person.post("/dashboard/api/top-ups", { amount: 500_000 })
  const keys: Array<string> = []
  for (const [name, limit] of [
    ["Máy chủ web", 0],
    ["Laptop của Lan", 60],
    ["Chatbot chăm sóc khách hàng", 600]
  ] as const) {
    keys.push((await person.post("/dashboard/api/keys", { name, rate_limit_per_minute: limit })).body.id)
  }
  const old = await person.post("/dashboard/api/keys", { name: "Thử nghiệm cũ", rate_limit_per_minute: 0 })
  await person.post(`/dashboard/api/keys/${old.body.id}/revoke`)
  const now = Date.now()
  const calls = Array.from({ length: callCount }, (_, index) => {
    const daysAgo = (index * (30 / callCount) + Math.abs(Math.sin(index)) * 0.9) % 30
    return sampleCall(accountId, keys[(index * 5) % 3]!, index, Math.round(now - daysAgo * 86_400_000))
  })
  await writeCalls(dashboard.databaseUrl, calls)
  await dateTopUps(dashboard.databaseUrl, now - 31 * 86_400_000)
}

/** Transfers that no order matches, and one that went out. */
export const fillTransfers = async (dashboard: TestDashboard): Promise<void> => {
  await tellTransfer(dashboard, { id: 501, content: "NGUYEN VAN AN chuyen khoan", transferAmount: 200_000 })
  await tellTransfer(dashboard, {
    id: 502,
    content: "MBVCB.3278907687.ST7K2M9QX12 CT tu 0011",
    transferAmount: 100_000
  })
  await tellTransfer(dashboard, {
    id: 503,
    content: "Rut tien",
    transferType: "out",
    transferAmount: 3_000_000
  })
}
