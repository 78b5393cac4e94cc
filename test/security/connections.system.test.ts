/** Floods of connections that ask for nothing, where descriptors are few. */
import { assert } from "@effect/vitest"
import { once } from "node:events"
import { Agent, type IncomingMessage, request } from "node:http"
import { connect, type Socket } from "node:net"
import { afterAll, beforeAll, describe, it } from "vitest"
import { ask } from "../operations/calls.ts"
import { startGateway, type TestAccount, type TestGateway } from "../gateway/start-gateway.ts"
import { openSocket } from "./raw-socket.ts"
import { until } from "../until.ts"
import { delay } from "../delay.ts"

let gateway: TestGateway
let account: TestAccount
beforeAll(async () => {
  const limits = { max_descriptors: 80, max_connections_per_address: 20, proxies: ["127.0.0.1"] }
  gateway = await startGateway({ yaml: { limits }, env: { DASHBOARD: "on" } })
  account = await gateway.account("100000")
})
afterAll(() => gateway.stop())

const body = JSON.stringify(ask("Hello", { max_tokens: 16 }))

/** Over a connection of the agent's; answers which one it was. */
const call = async (agent: Agent | false, fields = {}) => {
  const sent = request(`${gateway.url}/v1/messages`, {
    method: "POST",
    agent,
    headers: { "x-api-key": account.key, "content-type": "application/json" }
  })
  sent.end(JSON.stringify({ ...(JSON.parse(body) as object), ...fields }))
  const [response] = (await once(sent, "response")) as [IncomingMessage]
  return { status: response.statusCode, reused: sent.reusedSocket, response }
}

const taken = async ({ response }: { readonly response: IncomingMessage }) => {
  let text = ""
  for await (const chunk of response.setEncoding("utf8")) text += chunk as string
  return text
}

/** Connections that say nothing, as many as it takes until each has been taken or closed. */
const flood = async (count: number, localAddress: string) => {
  const { port } = new URL(gateway.url)
  const sockets = Array.from({ length: count }, () =>
    connect({ port: Number(port), host: "127.0.0.1", localAddress })
  )
  for (const socket of sockets) socket.on("error", () => {}).resume()
  await Promise.all(sockets.map((socket) => once(socket, "connect")))
  return sockets
}

const metric = async (line: string) => {
  const text = await (await fetch(`${gateway.url}/metrics`)).text()
  return Number(
    text
      .split("\n")
      .find((each) => each.startsWith(`${line} `))
      ?.slice(line.length) ?? 0
  )
}

const closedFor = (reason: string) => metric(`tollgate_client_connections_closed_total{reason="${reason}"}`)

const endAll = (sockets: ReadonlyArray<Socket>) => {
  for (const socket of sockets) socket.destroy()
}

describe("connections that ask for nothing", () => {
  it("make room for who comes, and cost neither calls under way nor customers their connections", async () => {
    const customer = new Agent({ keepAlive: true, maxSockets: 1 })
    const first = await call(customer)
    await taken(first)
    const stream = await call(false, {
      stream: true,
      messages: [{ role: "user", content: "[sim: interval=20 tokens=60]" }]
    })
    const silent = await flood(400, "127.0.0.1")
    const stranger = await call(false)
    assert.strictEqual(stranger.status, 200)
    await taken(stranger)
    const again = await call(customer)
    assert.strictEqual(again.status, 200)
    assert.isTrue(again.reused)
    await taken(again)
    assert.include(await taken(stream), "message_stop")
    await until(async () => (await closedFor("descriptors")) > 300)
    assert.isAtMost(await metric('tollgate_client_connections{thread="0"}'), 80)
    const warnings = gateway.output.split("\n").filter((line) => line.includes("Descriptors run short"))
    assert.lengthOf(warnings, 1)
    assert.strictEqual((JSON.parse(warnings[0]!) as { level: string }).level, "warn")
    endAll(silent)
    customer.destroy()
  })

  it("are no more than an address may have, but for proxies", async () => {
    const outsiders = await flood(50, "127.0.0.2")
    const proxied = await flood(30, "127.0.0.1")
    await call(false).then(taken)
    await until(async () => (await closedFor("address")) === 30)
    endAll([...outsiders, ...proxied])
  })
})

describe("requests for the dashboard", () => {
  it("are passed on as long as there are places for them, and refused at once beyond", async () => {
    const ask = async () => {
      const answer = await fetch(`${gateway.url}/dashboard/api/models`)
      await answer.arrayBuffer()
      return [answer.status, answer.headers.get("retry-after")] as const
    }
    await until(async () => (await ask())[0] === 200)
    // Where those who ask are slower than the pages, they come one after another.
    const answers = await until(async () => {
      const all = await Promise.all(Array.from({ length: 30 }, ask))
      return all.some(([status]) => status === 503) && all
    })
    const refused = answers.filter(([status]) => status === 503)
    assert.isTrue(refused.every(([, retryAfter]) => retryAfter === "2"))
    assert.isAtLeast(answers.filter(([status]) => status === 200).length, 8)
    assert.strictEqual((await ask())[0], 200)
  })
})

describe("requests in chunks", () => {
  it("are told apart, however late their chunks come and whatever else their address has open", async () => {
    const silent = await flood(20, "127.0.0.1")
    const late = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const socket = await openSocket(gateway.url)
        let text = ""
        socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")))
        const send = async () => {
          const before = text.length
          socket.write(
            "POST /v1/messages/count_tokens HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n" +
              `x-api-key: ${account.key}\r\n\r\n`
          )
          await delay(20)
          const words = ask("word ".repeat(index + 1), { max_tokens: undefined })
          const piece = JSON.stringify({ model: words.model, messages: words.messages })
          socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n0\r\n\r\n`)
          while (!text.slice(before).includes('"input_tokens":')) await once(socket, "data")
          return Number(/"input_tokens":(\d+)/.exec(text.slice(before))![1])
        }
        const counts = [await send(), await send()]
        socket.destroy()
        return counts
      })
    )
    for (const [place, [first, second]] of late.entries()) {
      assert.strictEqual(first, second)
      if (place > 0) assert.isAbove(first!, late[place - 1]![0]!)
    }
    endAll(silent)
  })

  it("by a method that nobody uses are cut off, and the others served", async () => {
    const socket = await openSocket(gateway.url)
    const closed = once(socket, "close")
    socket.write("LOCK /v1/messages HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n")
    await closed
    const other = await call(false)
    assert.strictEqual(other.status, 200)
    await taken(other)
  })
})
