/**
 * What 10,000 idle and 2,000 slow connections do to everybody else: `node test/chaos/connections.ts [idle] [slow]`. It
 * measures plain calls without and with them, in turns, and ends with 1 where their p99 rises by more than half.
 * Both processes need as many file descriptors: see `ulimit -n`.
 */
import { connect, type Socket } from "node:net"
import { startGateway, type TestGateway } from "../gateway/start-gateway.ts"
import { ask } from "../operations/calls.ts"
import { delay } from "../delay.ts"

const idleMax = Number(process.argv[2] ?? 10_000)
const slowMax = Number(process.argv[3] ?? 2_000)
const turns = 3
const measureMs = 5_000
const callers = 4

const print = (text: string) => process.stdout.write(`${text}\n`)

const main = async (): Promise<number> => {
  const gateway = await startGateway({ env: { LOG_LEVEL: "warn" } })
  try {
    const { key } = await gateway.account("10000000")
    await measure(gateway, key, 3_000)
    const alone: Array<number> = []
    const among: Array<number> = []
    for (let turn = 0; turn < turns; turn++) {
      alone.push(...(await measure(gateway, key, measureMs)))
      const crowd = await gather(gateway, key)
      const open = () => crowd.filter((socket) => !socket.destroyed).length
      const before = open()
      among.push(...(await measure(gateway, key, measureMs)))
      print(`turn ${turn + 1}: ${before} connections open before, ${open()} after`)
      for (const socket of crowd) socket.destroy()
      await delay(1_500)
    }
    const [p99Alone, p99Among] = [percentile(alone, 0.99), percentile(among, 0.99)]
    const ratio = p99Among / p99Alone
    print(
      JSON.stringify(
        {
          idle: idleMax,
          slow: slowMax,
          alone: { calls: alone.length, p50: percentile(alone, 0.5), p99: p99Alone },
          among: { calls: among.length, p50: percentile(among, 0.5), p99: p99Among },
          ratio: Number(ratio.toFixed(2))
        },
        null,
        2
      )
    )
    return ratio <= 1.5 ? 0 : 1
  } finally {
    await gateway.stop()
  }
}

/** Milliseconds of each call, by callers that call one after another over kept connections. */
const measure = async (gateway: TestGateway, key: string, forMs: number): Promise<ReadonlyArray<number>> => {
  const times: Array<number> = []
  const until = performance.now() + forMs
  const body = JSON.stringify(ask("Hello", { max_tokens: 16 }))
  const caller = async () => {
    while (performance.now() < until) {
      const startedAt = performance.now()
      const answer = await fetch(`${gateway.url}/v1/messages`, {
        method: "POST",
        headers: { "x-api-key": key },
        body
      })
      await answer.arrayBuffer()
      if (answer.status !== 200) throw new Error(`a call got ${answer.status}`)
      times.push(performance.now() - startedAt)
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return times
}

/** Idle ones, streams that say something every two seconds, and bodies that come byte by byte. */
const gather = async (gateway: TestGateway, key: string): Promise<ReadonlyArray<Socket>> => {
  const stream = JSON.stringify(ask("[sim: tokens=40 interval=2000]", { stream: true, max_tokens: 64 }))
  const head = `POST /v1/messages HTTP/1.1\r\nhost: h\r\nx-api-key: ${key}\r\n`
  const streaming = `${head}content-length: ${stream.length}\r\n\r\n${stream}`
  const dripping = `${head}content-length: 5000\r\n\r\n{`
  const openings = [
    ...Array.from({ length: Math.floor(slowMax / 2) }, () => streaming),
    ...Array.from({ length: Math.ceil(slowMax / 2) }, () => dripping),
    ...Array.from({ length: idleMax }, () => "")
  ]
  const { hostname, port } = new URL(gateway.url)
  const sockets: Array<Socket> = []
  for (let index = 0; index < openings.length; index += 250) {
    const batch = openings.slice(index, index + 250).map((opening) => open(hostname, Number(port), opening))
    sockets.push(...(await Promise.all(batch)))
  }
  const drips = sockets.slice(Math.floor(slowMax / 2), slowMax)
  const timer = setInterval(() => {
    for (const socket of drips) if (!socket.destroyed) socket.write(" ")
    if (drips.every((socket) => socket.destroyed)) clearInterval(timer)
  }, 1_000)
  return sockets
}

const open = (host: string, port: number, opening: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host, port }, () => {
      if (opening !== "") socket.write(opening)
      resolve(socket)
    })
    socket.on("error", reject)
    socket.on("data", () => {})
  })

const percentile = (values: ReadonlyArray<number>, share: number): number => {
  const sorted = values.toSorted((left, right) => left - right)
  return Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(2))
}

process.exit(await main())
