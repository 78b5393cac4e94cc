/**
 * What does a good customer notice while somebody attacks? Their calls without an attack and during it by turns, for
 * attackers without money and with some: `node bench/attacks/run.ts [turns] [attack]`. Ends with 1 where the customer's
 * p50 or p99 is more than three times the quiet one, or a call of theirs fails.
 */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { setTimeout as delay } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { startGateway, type TestGateway } from "../../test/gateway/start-gateway.ts"
import { attackNames, type AttackName, type AttackPlan, type AttackResult } from "./attacks.ts"
import { type CustomerResult, type Kind, kinds } from "./customer.ts"
import type { ToServed } from "./serve.ts"

const turns = Number(process.argv[2] ?? 3)
const only = process.argv[3]
const turnMs = 6_000
const settleMs = 2_000
const worseMax = 3

const startServed = (): ChildProcess => fork(fileURLToPath(new URL("./serve.ts", import.meta.url)))

const tell = (child: ChildProcess, message: ToServed): void => void child.send(message)

const resultOf = async <A>(child: ChildProcess): Promise<A> => {
  const [result] = (await once(child, "message")) as [A]
  return result
}

const end = async (child: ChildProcess): Promise<void> => {
  child.disconnect()
  await once(child, "exit")
}

/** Runs beside `work`; answers what the attacker was answered. */
const attackDuring = async (plan: AttackPlan, work: () => Promise<void>): Promise<AttackResult> => {
  const attacker = startServed()
  tell(attacker, { attack: plan })
  await delay(settleMs)
  await work()
  const result = resultOf<AttackResult>(attacker)
  tell(attacker, { stop: true })
  const answered = await result
  await end(attacker)
  return answered
}

/** Calls of one kind, in several turns. */
class Times {
  readonly #of = new Map<Kind, Array<number>>(kinds.map((kind) => [kind, []]))
  readonly failed: Array<string> = []

  add({ failed, times }: CustomerResult): void {
    for (const kind of kinds) this.#of.get(kind)!.push(...times[kind])
    this.failed.push(...failed)
  }

  at(kind: Kind, share: number): number {
    const sorted = this.#of.get(kind)!.toSorted((left, right) => left - right)
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  }
}

const mebibytesOf = (pid: number, name: "VmRSS" | "VmHWM"): number =>
  Math.round(
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024
  )

interface Seen {
  readonly quiet: Times
  readonly attacked: Times
  readonly answers: Record<string, number>
  readonly idleMebibytes: number
  readonly mostMebibytes: number
}

const examine = async (gateway: TestGateway, name: AttackName, vnd: string): Promise<Seen> => {
  const customer = startServed()
  const { key } = await gateway.account("900000000")
  const attacker = await gateway.account(vnd)
  const [quiet, attacked, answers] = [new Times(), new Times(), {} as Record<string, number>]
  const measure = async (times: Times) => {
    tell(customer, { customer: { url: gateway.url, key, ms: turnMs } })
    times.add(await resultOf<CustomerResult>(customer))
  }
  await measure(new Times())
  const idleMebibytes = mebibytesOf(gateway.pid, "VmRSS")
  const plan = { name, port: Number(new URL(gateway.url).port), key: attacker.key }
  for (let turn = 0; turn < turns; turn++) {
    await measure(quiet)
    const result = await attackDuring(plan, () => measure(attacked))
    for (const [answer, count] of Object.entries(result.answers))
      answers[answer] = (answers[answer] ?? 0) + count
    await delay(settleMs)
  }
  await end(customer)
  return { quiet, attacked, answers, idleMebibytes, mostMebibytes: mebibytesOf(gateway.pid, "VmHWM") }
}

/** Answers whether all was well. */
const tellOf = (name: AttackName, vnd: string, seen: Seen): boolean => {
  const failed = [...seen.quiet.failed, ...seen.attacked.failed]
  let worst = 0
  console.log(`${name}, attacker with ${vnd} VND, answered ${JSON.stringify(seen.answers)}`)
  for (const kind of kinds) {
    for (const share of [0.5, 0.99]) {
      const [before, beside] = [seen.quiet.at(kind, share), seen.attacked.at(kind, share)]
      worst = Math.max(worst, beside / before)
      const figures = `${before.toFixed(1)} → ${beside.toFixed(1)} ms (${(beside / before).toFixed(2)} ×)`
      console.log(`  ${kind.padEnd(9)} p${share * 100}: ${figures}`)
    }
  }
  console.log(
    `  memory ${seen.idleMebibytes} MiB idle, at most ${seen.mostMebibytes}; calls failed: ${failed.join(" ") || 0}`
  )
  return worst <= worseMax && failed.length === 0
}

let isWell = true
for (const name of attackNames) {
  if (only !== undefined && only !== name) continue
  for (const vnd of name.startsWith("bodies of") ? ["0", "100000"] : ["0"]) {
    const gateway = await startGateway({ env: { LOG_LEVEL: "warn", CODEC_THREADS: "2" } })
    try {
      isWell = tellOf(name, vnd, await examine(gateway, name, vnd)) && isWell
    } finally {
      await gateway.stop()
    }
  }
}
process.exit(isWell ? 0 : 1)
