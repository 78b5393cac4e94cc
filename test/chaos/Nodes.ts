/**
 * Several real nodes on one database, each behind a proxy of its own that can break, and crowds of callers who spend a
 * wallet on all of them. Each call costs a fixed price, so that what must come out is known to the last call.
 */
import catalogue from "../../src/domain/catalogue.json" with { type: "json" }
import type { AccountId } from "../../src/domain/ids.ts"
import { fromVnd } from "../../src/domain/money.ts"
import { DatabaseProxy } from "../ledger/DatabaseProxy.ts"
import { startGateway, type TestAccount, type TestGateway } from "../gateway/start-gateway.ts"
import { startTestDatabase, type TestDatabase } from "../storage/start-database.ts"
import { delay } from "../delay.ts"

export const pricedModel = "req/gpt-5.5"

export interface Outcome {
  readonly status: number
  readonly node: number
  readonly atMs: number
  readonly id: string
  /** The answer came to its end. */
  readonly whole: boolean
}

export class Nodes {
  readonly database: TestDatabase
  readonly gateways: ReadonlyArray<TestGateway>
  readonly proxies: ReadonlyArray<DatabaseProxy>

  private constructor(
    database: TestDatabase,
    gateways: ReadonlyArray<TestGateway>,
    proxies: ReadonlyArray<DatabaseProxy>
  ) {
    this.database = database
    this.gateways = gateways
    this.proxies = proxies
  }

  static async start(count: number, given?: TestDatabase): Promise<Nodes> {
    const database = given ?? (await startTestDatabase())
    const proxies = Array.from({ length: count }, () => new DatabaseProxy(database.url))
    const gateways: Array<TestGateway> = []
    for (const proxy of proxies) gateways.push(await startGateway({ databaseUrl: await proxy.start() }))
    return new Nodes(database, gateways, proxies)
  }

  async stop(): Promise<void> {
    // One may be frozen still, where a test has failed.
    for (const gateway of this.gateways) gateway.signal("SIGCONT")
    for (const gateway of this.gateways) await gateway.stop()
    for (const proxy of this.proxies) await proxy.stop()
    await this.database.stop()
  }

  /** A wallet that pays for exactly so many calls, and a key whose budget pays for so many of them. */
  customer(calls: number, budgetCalls?: number): Promise<TestAccount> {
    const amount = fromVnd(BigInt((budgetCalls ?? 0) * pricePerCall()))
    const budget = budgetCalls === undefined ? null : ({ amount, period: "total" } as const)
    return this.gateways[0]!.account(String(calls * pricePerCall()), { budget })
  }

  /** One call on one node; `sim` is what the simulator shall do. */
  call(node: number, key: string, sim = ""): Promise<Outcome> {
    const messages = [{ role: "user", content: `Hello ${sim}` }]
    return this.#ask(node, key, { model: pricedModel, max_completion_tokens: 64, messages })
  }

  async #ask(node: number, key: string, body: Readonly<Record<string, unknown>>): Promise<Outcome> {
    const answer = await fetch(`${this.gateways[node]!.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body)
    }).catch(() => undefined)
    const text = await answer?.text().catch(() => undefined)
    return {
      status: answer?.status ?? 0,
      node,
      atMs: Date.now(),
      id: answer?.headers.get("request-id") ?? "",
      whole:
        text !== undefined && (body["stream"] === true ? text.includes("[DONE]") : answer?.status === 200)
    }
  }

  /** One stream that costs by the token, and extends its hold some times. */
  stream(node: number, key: string): Promise<Outcome> {
    return this.#ask(node, key, {
      model: "gpt-5.4-mini",
      stream: true,
      max_completion_tokens: 20_000,
      messages: [{ role: "user", content: "Hello [sim: tokens=8000 interval=0]" }]
    })
  }

  /** Callers who call on and on, each on its node, until the wallet is empty or `goesOn` says no. */
  async crowd(
    key: string,
    callers: number,
    options: {
      readonly nodes?: ReadonlyArray<number>
      readonly goesOn?: () => boolean
      readonly streams?: boolean
    } = {}
  ): Promise<ReadonlyArray<Outcome>> {
    const nodes = options.nodes ?? this.gateways.map((_, index) => index)
    const outcomes: Array<Outcome> = []
    const caller = async (index: number) => {
      for (let turn = 0; options.goesOn?.() ?? true; turn++) {
        const node = nodes[(index + turn) % nodes.length]!
        const outcome = await (options.streams === true ? this.stream(node, key) : this.call(node, key))
        outcomes.push(outcome)
        if (outcome.status === 402) return
        // As clients do.
        if (outcome.status === 503) await delay(200)
      }
    }
    await Promise.all(Array.from({ length: callers }, (_, index) => caller(index)))
    return outcomes
  }

  /** What the database says: the balance in µVND, and the calls that were charged. */
  async books(accountId: AccountId) {
    const gateway = this.gateways[0]!
    const charged = await gateway.sql(
      (sql) => sql<Array<{ id: string }>>`
        select id from calls where account_id = ${accountId} and cost_micro_vnd > 0`
    )
    const [row] = await gateway.sql(
      (sql) => sql<[{ balance: bigint }]>`
        select balance_micro_vnd as balance from wallet_balances where account_id = ${accountId}`
    )
    return { balance: row.balance, charged: new Set(charged.map(({ id }) => id)) }
  }
}

export const pricePerCall = (): number => {
  const price = catalogue.find(({ id }) => id === pricedModel)?.price
  if (price === undefined || !("per_request_vnd" in price)) throw new Error("the model has no fixed price")
  return price.per_request_vnd!
}
