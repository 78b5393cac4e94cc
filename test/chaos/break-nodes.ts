/**
 * Breaks one of three real nodes while crowds spend a wallet on all of them: `node test/chaos/break-nodes.ts [fault …]`, all of
 * them without a name. With `--streams`, half of the callers have streams that extend their holds. Exit status 1 where a wallet was overdrawn, a call seen whole was not charged, or the books disagree.
 */
import { auditOf } from "../ledger/start-ledger.ts"
import { Nodes } from "./Nodes.ts"
import { ServerPair } from "./ServerPair.ts"
import { delay } from "../delay.ts"

const print = (line: string) => process.stdout.write(`${line}\n`)

/** To a standby that lacks some seconds, as no other fault makes it. */
const behind = "fail-over-behind"

/** What is done to the third node, or to the database of all, and undone again. */
const faults: Record<string, (nodes: Nodes, servers: ServerPair) => Promise<void>> = {
  blip: (nodes) => cutFor(nodes, 300),
  cut: (nodes) => cutFor(nodes, 5_000),
  "black-hole": async ({ proxies }) => {
    proxies[2]!.dropsAnswers = true
    await delay(30_000)
    proxies[2]!.dropsAnswers = false
    proxies[2]!.cut()
  },
  "lost-answers": async ({ proxies }) => {
    for (let turn = 0; turn < 5; turn++) {
      proxies[2]!.dropsAnswers = true
      await delay(200)
      proxies[2]!.cut()
      proxies[2]!.dropsAnswers = false
      await delay(1_000)
    }
  },
  "stop-5": (nodes) => stopFor(nodes, 5_000),
  "stop-20": (nodes) => stopFor(nodes, 20_000),
  "stop-60": (nodes) => stopFor(nodes, 60_000),
  kill: async ({ gateways }) => {
    await gateways[2]!.end("SIGKILL")
    await delay(3_000)
    await gateways[2]!.launch()
  },
  "all-cut": async ({ proxies }) => {
    for (const proxy of proxies) proxy.refuses = true
    for (const proxy of proxies) proxy.cut()
    await delay(6_000)
    for (const proxy of proxies) proxy.refuses = false
  },
  restart: (_, servers) => servers.restart("SIGINT", 2_000),
  "power-loss": (_, servers) => servers.restart("SIGQUIT", 4_000),
  "fail-over": (nodes, servers) => failOver(nodes, servers),
  [behind]: async (nodes, servers) => {
    servers.makeDeaf()
    await delay(3_000)
    await failOver(nodes, servers)
  }
}

const failOver = async ({ proxies }: Nodes, servers: ServerPair) => {
  await servers.failOver()
  for (const proxy of proxies) proxy.leadTo(servers.url)
  for (const proxy of proxies) proxy.cut()
}

const cutFor = async ({ proxies }: Nodes, ms: number) => {
  proxies[2]!.refuses = true
  proxies[2]!.cut()
  await delay(ms)
  proxies[2]!.refuses = false
}

const stopFor = async ({ gateways }: Nodes, ms: number) => {
  gateways[2]!.signal("SIGSTOP")
  await delay(ms)
  gateways[2]!.signal("SIGCONT")
}

const withStreams = process.argv.includes("--streams")

const run = async (name: string): Promise<boolean> => {
  const servers = await ServerPair.start()
  const nodes = await Nodes.start(3, { url: servers.url, stop: () => servers.stop() })
  try {
    const { accountId, key } = await nodes.customer(2_000)
    if (name === "fail-over" || name === behind) await servers.addStandby({ isWaitedFor: name !== behind })
    const untilMs = Date.now() + 120_000
    const goesOn = () => Date.now() < untilMs
    const crowds = [nodes.crowd(key, withStreams ? 12 : 24, { goesOn })]
    if (withStreams) crowds.push(nodes.crowd(key, 12, { goesOn, streams: true }))
    await delay(700)
    const startedMs = Date.now()
    await faults[name]!(nodes, servers)
    const undoneMs = Date.now()
    const outcomes = (await Promise.all(crowds)).flat()
    // What is left, once everybody is there again.
    await delay(10_000)
    const rest = await nodes.crowd(key, 6)
    const all = [...outcomes, ...rest]
    const whole = all.filter((outcome) => outcome.whole)
    const { balance, charged } = await nodes.books(accountId)
    const { violations } = await auditOf(servers.url)
    const isLost = (atMs: number) => name === behind && atMs < undoneMs
    const uncharged = whole.filter(({ atMs, id }) => !charged.has(id) && !isLost(atMs)).length
    const statuses = Object.entries(Object.groupBy(all, ({ status }) => String(status)))
      .map(([status, each]) => `${status}: ${each!.length}`)
      .join(", ")
    const alarmed = nodes.gateways.filter(({ log }) => log.includes("put back to an earlier moment")).length
    const isTakenRight = alarmed === (name === behind ? nodes.gateways.length : 0)
    const isGood = balance >= 0n && uncharged === 0 && violations.length === 0 && isTakenRight
    print(
      `${name}: ${isGood ? "good" : "BROKEN"}; ${statuses}; seen whole ${whole.length}, of these uncharged ${uncharged}, ` +
        `charged beside ${charged.size - whole.filter(({ id }) => charged.has(id)).length}; balance ${balance} µVND; ` +
        `${alarmed} nodes begun anew as on a database put back; ${Date.now() - startedMs} ms; ${JSON.stringify(violations.slice(0, 3))}`
    )
    return isGood
  } finally {
    for (const gateway of nodes.gateways) gateway.signal("SIGCONT")
    await nodes.stop()
  }
}

const named = process.argv.slice(2).filter((each) => each !== "--streams")
const names = named.length > 0 ? named : Object.keys(faults)
let isGood = true
for (const name of names) isGood = (await run(name)) && isGood
process.exit(isGood ? 0 : 1)
