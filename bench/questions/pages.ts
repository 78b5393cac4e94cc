/** How long do the dashboard's pages take beside 100,000 accounts and 10,000,000 calls, for customers and operators? */
import { execFileSync } from "node:child_process"
import { setTimeout as delay } from "node:timers/promises"
import postgres from "postgres"
import { atMost, type Question } from "../Question.ts"
import { fillLog, largeAccount, oftenKey, rareKey } from "../measure/fill-log.ts"
import { residentBytes } from "../measure/read-process.ts"
import { figureOf, shown, shownFigure, whole } from "../measure/statistics.ts"
import { node, root } from "../measure/start-process.ts"
import type { Tollgate } from "../measure/Tollgate.ts"

const limitMs = 300
const exportLimitMb = 64
const times = 12

const dayMs = 86_400_000

/** Of the large account, which made a tenth of all calls. */
const customerPages = (now: number, callId: string): Readonly<Record<string, string>> => {
  const year = `from=${now - 360 * dayMs}&to=${now}`
  const month = `from=${now - 30 * dayMs}&to=${now}`
  return {
    overview: "/overview",
    "overview: how long the balance lasts, what was refused": "/overview/outlook",
    "usage of a month, stacked by model": `/usage?${month}&bucket=day&stack=model`,
    "usage of a year": `/usage?${year}&bucket=day`,
    "calls, the newest": "/calls",
    "calls of a key that is called often": `/calls?key=${oftenKey}`,
    "calls of a key that is called rarely": `/calls?key=${rareKey}`,
    "calls that failed": "/calls?outcome=failed",
    "one call by its id": `/calls?request_id=${callId}`,
    "statement of everything": "/statement?from=2020-01-01",
    "API keys": "/keys"
  }
}

const operatorPages = (now: number, callId: string): Readonly<Record<string, string>> => {
  const month = `from=${now - 30 * dayMs}&to=${now}`
  return {
    "operator: service": "/operator/service",
    "operator: accounts, by a part of an address": "/operator/accounts?search=99_9",
    "operator: search for a call's id": `/operator/search?q=${callId}`,
    "operator: search for a mail address": "/operator/search?q=acc_4711@example.com",
    "operator: search for what is nowhere": "/operator/search?q=nothing-like-this",
    "operator: the large customer": `/operator/accounts/${largeAccount}`,
    "operator: calls of the large customer": `/operator/accounts/${largeAccount}/calls`,
    "operator: statement of the large customer": `/operator/accounts/${largeAccount}/statement?from=2020-01-01`,
    "operator: transfers": "/operator/transfers",
    "operator: audit log": "/operator/audit",
    "operator: margin by customer": `/operator/margin?${month}&by=account`,
    "operator: margin by customer, the least first": `/operator/margin?${month}&by=account&order=margin`,
    "operator: margin of the large customer by model": `/operator/margin?${month}&by=model&account=${largeAccount}`
  }
}

export const pages: Question = {
  name: "pages",
  title: "The dashboard's pages beside 100,000 accounts",
  ask: async (bench) => {
    const tollgate = await bench.startTollgate({})
    const calls = bench.options.quick ? 200_000 : 10_000_000
    const accounts = bench.options.quick ? 2_000 : 100_000
    const sql = postgres(tollgate.databaseUrl, {
      max: 1,
      onnotice: () => {},
      types: { bigint: postgres.BigInt }
    })
    const size = { calls, callsPerMonth: Math.ceil(calls / 12), accounts, largeOneIn: 10 }
    await fillLog(sql, tollgate.databaseUrl, size, (line) => console.error(`  ${line}`))
    const [last] = await sql<[{ id: string }]>`
      select id from calls where account_id = ${largeAccount} order by at desc limit 1`
    const [{ own }] = await sql<[{ own: number }]>`
      select count(*)::int as own from calls where account_id = ${largeAccount}`
    await sql.end()
    const asked = [
      ...Object.entries(customerPages(Date.now(), last.id)).map(([name, path]) => ({
        name,
        path,
        token: tokenOf(tollgate, `${largeAccount}@example.com`, "usage:read,keys:read,billing:read")
      })),
      ...Object.entries(operatorPages(Date.now(), last.id)).map(([name, path]) => ({
        name,
        path,
        token: operatorToken(tollgate)
      }))
    ]
    const timed: Array<{ readonly name: string; readonly ms: ReadonlyArray<number> }> = []
    for (const { name, path, token } of asked)
      timed.push({ name, ms: await timesOf(`${tollgate.started.found}/api${path}`, token) })
    const exported = await exportAll(tollgate, asked[0]!.token)
    await tollgate.stop()
    const slowest = timed.map(({ ms, name }) => ({ name, ms: figureOf(ms).median }))
    const worst = slowest.reduce((one, other) => (other.ms > one.ms ? other : one))
    return {
      tables: [
        {
          title: `${whole(accounts)} accounts, ${whole(calls)} calls of twelve months, ${whole(own)} of them of the one account that asks; ms from the request to the whole answer`,
          columns: ["page", "ms", "the first time"],
          rows: timed.map(({ ms, name }) => [name, shownFigure(figureOf(ms.slice(1))), shown(ms[0]!)])
        },
        {
          title: "The same account's exports, read to their end",
          columns: ["", "MB", "seconds", "memory of the gateway beyond a month's, MB"],
          rows: exported.map(({ bytes, megabytes, name, seconds }) => [
            name,
            shown(bytes / 1e6),
            shown(seconds),
            shown(megabytes)
          ])
        }
      ],
      budgets: [
        atMost(`A page beside ${whole(accounts)} accounts, the slowest`, worst.ms, limitMs, "ms"),
        atMost(
          "Exporting a long log: memory of the gateway beyond a month's",
          Math.max(...exported.map(({ megabytes }) => megabytes)),
          exportLimitMb,
          "MB"
        )
      ],
      notes: [`The slowest page: ${worst.name}.`]
    }
  }
}

const commandLine = (tollgate: Tollgate, ...args: ReadonlyArray<string>) =>
  JSON.parse(
    execFileSync(node, ["src/main.ts", ...args, "--json"], {
      cwd: root,
      encoding: "utf8",
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: process.env["HOME"] ?? "/tmp",
        DATABASE_URL: tollgate.databaseUrl
      }
    })
  ) as Readonly<Record<string, string>>

const made = new Map<string, string>()
const tokenOf = (tollgate: Tollgate, account: string, scopes: string): string => {
  const known = made.get(account)
  if (known !== undefined) return known
  const create = ["token", "create", "--account", account, "--name", "bench", "--scopes", scopes]
  const { token } = commandLine(tollgate, ...create)
  made.set(account, token!)
  return token!
}

const operatorEmail = "operator@example.com"
const operatorToken = (tollgate: Tollgate): string => {
  if (!made.has(operatorEmail)) {
    const password = ["--password", crypto.randomUUID()]
    commandLine(tollgate, "account", "create", "--email", operatorEmail, "--operator", ...password)
  }
  return tokenOf(tollgate, operatorEmail, "operator:read")
}

/** Tokens may ask so often a minute: whoever asks more often waits. */
const ask = async (url: string, token: string): Promise<Response> => {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  if (response.status !== 429) return response
  await response.arrayBuffer()
  await delay(1_000 * Number(response.headers.get("retry-after") ?? 1))
  return ask(url, token)
}

const timesOf = async (url: string, token: string): Promise<ReadonlyArray<number>> => {
  const ms: Array<number> = []
  for (let time = 0; time < times; time++) {
    const startMs = performance.now()
    const response = await ask(url, token)
    const body = await response.text()
    if (!response.ok) throw new Error(`${url}: ${response.status} ${body.slice(0, 200)}`)
    ms.push(performance.now() - startMs)
  }
  return ms
}

/**
 * A month of it first: what an idle process has given back, and what is compiled once, is no matter of the log's length.
 */
const exportAll = async (tollgate: Tollgate, token: string) => {
  const since = Date.now() - 30 * dayMs
  const results: Array<Exported & { readonly name: string; readonly megabytes: number }> = []
  for (const [name, path, from, recently] of [
    ["calls as CSV", "/usage.csv", "1577836800000", String(since)],
    ["statement as CSV", "/statement.csv", "2020-01-01", new Date(since).toISOString().slice(0, 10)]
  ] as const) {
    const month = await exportOne(tollgate, token, `${path}?from=${recently}`)
    const whole = await exportOne(tollgate, token, `${path}?from=${from}`)
    results.push({ ...whole, name, megabytes: Math.max(0, (whole.peak - month.peak) / 1e6) })
  }
  return results
}

interface Exported {
  readonly bytes: number
  readonly seconds: number
  readonly peak: number
}

/** While it is read, memory is looked at ten times a second. */
const exportOne = async (tollgate: Tollgate, token: string, path: string): Promise<Exported> => {
  const { found, pid } = tollgate.started
  let peak = residentBytes(pid)
  const watch = setInterval(() => (peak = Math.max(peak, residentBytes(pid))), 100)
  const startMs = performance.now()
  const response = await ask(`${found}/api${path}`, token)
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  let bytes = 0
  for await (const chunk of response.body!) bytes += (chunk as Uint8Array).byteLength
  clearInterval(watch)
  return { bytes, seconds: (performance.now() - startMs) / 1_000, peak }
}
