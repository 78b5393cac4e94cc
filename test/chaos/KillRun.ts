/**
 * A gateway under load is disturbed at random moments, by default killed with SIGKILL and started again; then every call
 * whose end a client saw must be charged exactly once, and no call that did not finish upstream.
 */
import type { KeyId } from "../../src/domain/ids.ts"
import { formatVnd, fromVnd } from "../../src/domain/money.ts"
import { readBudgetUse } from "../../src/storage/keys/BudgetStore.ts"
import type { TestAccount, TestGateway } from "../gateway/start-gateway.ts"
import type { Random } from "../Random.ts"
import { auditOf } from "../ledger/start-ledger.ts"
import { delay } from "../delay.ts"
import { until } from "../until.ts"

/** A call whose end its client saw. `costVnd` where its headers said it. */
interface SeenCall {
  readonly id: string
  readonly costVnd: string | null
}

export interface KillReport {
  readonly rounds: number
  callsMade: number
  /** The client saw the end. */
  callsSeen: number
  /** Under way when the process was killed, or refused while it or its database was away. */
  callsLost: number
  callsCharged: number
  finishedUpstream: number
  moneyBefore: string
  moneyAfter: string
  readonly problems: Array<string>
}

/** More than is spent: what counts is that it sees all of it. */
const budget = { amount: fromVnd(1_000_000n), period: "total" } as const
const openingVnd = "1000000"
const callersCount = 12
/** Of a wallet that pays for one such call. */
const fixedPriceModel = "req/gpt-5.5"
const fixedPriceVnd = 650

export class KillRun {
  readonly #gateway: TestGateway
  readonly #random: Random
  readonly #disturb: () => Promise<void>
  readonly #seen: Array<SeenCall> = []
  #callsMade = 0
  #callsLost = 0
  #isOver = false

  constructor(gateway: TestGateway, random: Random, disturb?: () => Promise<void>) {
    this.#gateway = gateway
    this.#random = random
    this.#disturb = disturb ?? (() => this.#kill())
  }

  async run(rounds: number, onRound: (round: number) => void = () => {}): Promise<KillReport> {
    const accounts = await Promise.all([
      this.#gateway.account(openingVnd, { budget }),
      this.#gateway.account(openingVnd),
      this.#gateway.account(openingVnd)
    ])
    const endless = await this.#gateway.account(openingVnd)
    const poor = await this.#gateway.account(String(fixedPriceVnd))
    const callers = [
      ...Array.from({ length: callersCount }, (_, index) => this.#caller(accounts[index % accounts.length]!)),
      this.#caller(endless, "[sim: hang=after:3]"),
      this.#caller(endless, "[sim: hang=headers]"),
      this.#caller(poor, "[sim: hang=headers]", fixedPriceModel)
    ]
    for (let round = 1; round <= rounds; round++) {
      const before = this.#seen.length
      // At some moment of a load that has come up.
      await until(() => this.#seen.length >= before + 20, 60)
      await delay(this.#random.below(400))
      await this.#disturb()
      onRound(round)
    }
    this.#isOver = true
    await this.#gateway.end("SIGKILL")
    await Promise.all(callers)
    // What a killed process has left behind is taken up by the next.
    await this.#gateway.launch()
    const problems: Array<string> = []
    if ((await this.#call(poor, "Hello", fixedPriceModel)) === undefined)
      problems.push("what calls of a killed process held is not free at once")
    return this.#verify(rounds, accounts, endless, problems)
  }

  async #kill(): Promise<void> {
    await this.#gateway.end("SIGKILL")
    await this.#gateway.launch()
  }

  async #caller(
    account: TestAccount,
    prompt = "Hello [sim: tokens=20 interval=1]",
    only?: string
  ): Promise<void> {
    while (!this.#isOver) {
      this.#callsMade++
      const seen = await this.#call(account, prompt, only).catch(() => undefined)
      if (seen !== undefined) {
        this.#seen.push(seen)
        continue
      }
      this.#callsLost++
      await delay(20)
    }
  }

  async #call(account: TestAccount, prompt: string, only?: string): Promise<SeenCall | undefined> {
    const [path, model] = this.#random.pick([
      ["/v1/messages", only ?? "claude-sonnet-5"],
      ["/v1/chat/completions", only ?? "gpt-5.5"]
    ] as const)
    // A plain answer comes in one piece and can not stop in the middle.
    const stream = prompt.includes("hang=after:3") || this.#random.below(2) === 0
    const messages = [{ role: "user", content: prompt }]
    const answer = await fetch(this.#gateway.url + path, {
      method: "POST",
      headers: { "x-api-key": account.key },
      body: JSON.stringify({ model, max_tokens: 100, stream, messages })
    })
    const body = await answer.text()
    if (answer.status !== 200) return undefined
    const isWhole = stream ? /message_stop|\[DONE\]/.test(body) : body.trimEnd().endsWith("}")
    if (!isWhole) return undefined
    return { id: answer.headers.get("request-id")!, costVnd: answer.headers.get("x-svc-cost-vnd") }
  }

  #budgetUse(keyId: KeyId) {
    return this.#gateway.sql((sql) => readBudgetUse(sql, keyId, budget.period))
  }

  async #verify(
    rounds: number,
    accounts: ReadonlyArray<TestAccount>,
    endless: TestAccount,
    problems: Array<string>
  ) {
    const all = [...accounts, endless]
    const rows = (await Promise.all(all.map(({ accountId }) => this.#gateway.calls(accountId)))).flat()
    const balances = await Promise.all(all.map(({ accountId }) => this.#gateway.balance(accountId)))
    const { finished } = await this.#gateway.seen()
    const charged = new Map<string, Array<bigint>>()
    for (const { cost_micro_vnd: cost, id } of rows) {
      if (cost > 0n) charged.set(id, [...(charged.get(id) ?? []), cost])
    }
    const opening = BigInt(openingVnd) * 1_000_000n
    const spent = [...charged.values()].flat().reduce((sum, cost) => sum + cost, 0n)
    const after = balances.reduce((sum, balance) => sum + balance, 0n)
    for (const { costVnd, id } of this.#seen) {
      const costs = charged.get(id) ?? []
      if (costs.length !== 1) problems.push(`${id} was seen complete and is charged ${costs.length} times`)
      else if (costVnd !== null && costVnd !== formatVnd(costs[0]!))
        problems.push(`${id} said ${costVnd} and cost ${formatVnd(costs[0]!)}`)
    }
    if (balances.at(-1) !== opening) problems.push("calls that never finished upstream were charged")
    if (charged.size > finished) problems.push(`${charged.size} charged, ${finished} finished upstream`)
    if (after !== opening * BigInt(all.length) - spent) problems.push("balances are not what was spent")
    const { held, spent: ofBudget } = await this.#budgetUse(accounts[0]!.keyId as KeyId)
    const firstSpent = opening - balances[0]!
    if (ofBudget !== firstSpent) problems.push(`the budget has seen ${ofBudget} of ${firstSpent}`)
    if (held !== 0n) problems.push(`${held} of the budget is held by calls that are over`)
    const { violations } = await auditOf(this.#gateway.databaseUrl)
    for (const { check, detail, subject } of violations) problems.push(`audit: ${check} ${subject} ${detail}`)
    return {
      rounds,
      callsMade: this.#callsMade,
      callsSeen: this.#seen.length,
      callsLost: this.#callsLost,
      callsCharged: charged.size,
      finishedUpstream: finished,
      moneyBefore: formatVnd(opening * BigInt(all.length)),
      moneyAfter: formatVnd(after),
      problems
    } satisfies KillReport
  }
}
