/** What a HEAD is told of every address that can be read: all that stands in the head of its GET, and no length that is not that of what GET sends. */
import { assert } from "@effect/vitest"
import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { connect } from "node:net"
import { afterAll, beforeAll, describe, it } from "vitest"
import { endpoints } from "../dashboard/endpoints.ts"
import { TestPerson } from "../dashboard/TestPerson.ts"
import { startGateway, type TestAccount, type TestGateway } from "./start-gateway.ts"

const email = "operator@example.com"

let gateway: TestGateway
let account: TestAccount
let operator: TestPerson
beforeAll(async () => {
  gateway = await startGateway({
    env: {
      DASHBOARD: "on",
      OPERATORS_SECOND_FACTOR: "off",
      TOLLGATE_BANK_BIN: "970436",
      TOLLGATE_BANK_ACCOUNT: "0123456789",
      TOLLGATE_BANK_ACCOUNT_NAME: "CONG TY TOLLGATE",
      SEPAY_WEBHOOK_SECRET: "of-the-tests"
    }
  })
  account = await gateway.account()
  operator = new TestPerson(gateway)
  await operator.signUp(email)
  await gateway.sql((sql) => sql`update accounts set staff_role = 'owner' where email = ${email}`)
})
afterAll(() => gateway.stop())

/** Of each answer its own. */
const ofOneAnswer: ReadonlySet<string> = new Set(["date", "request-id", "x-request-id", "set-cookie"])

interface Answered {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, unknown>>
  /** As it was told. */
  readonly length: string | undefined
  readonly bytes: number
}

type Headers = Readonly<Record<string, string>>

const ask = async (method: "GET" | "HEAD", path: string, headers: Headers): Promise<Answered> => {
  const sent = request(gateway.url + path, { method, headers, agent: false }).end()
  const [answer] = (await once(sent, "response")) as [IncomingMessage]
  const { "content-length": length, "transfer-encoding": _, ...others } = answer.headers
  let bytes = 0
  for await (const chunk of answer) {
    bytes += (chunk as Buffer).length
    // It does not end by itself.
    if (others["content-type"]?.startsWith("text/event-stream") === true) break
  }
  const told = Object.entries(others).filter(([name]) => !ofOneAnswer.has(name))
  return { status: answer.statusCode, headers: Object.fromEntries(told), length, bytes }
}

const compare = async (path: string, headers: Headers = {}) => {
  const whole = await ask("GET", path, headers)
  const head = await ask("HEAD", path, headers)
  assert.deepStrictEqual([head.status, head.headers], [whole.status, whole.headers])
  assert.strictEqual(head.bytes, 0)
  if (whole.length !== undefined) assert.isDefined(head.length)
  if (head.length === undefined) return whole
  // What is counted anew for each answer has a length anew.
  if (path === "/metrics" || path.endsWith("/operator/service")) assert.isAbove(Number(head.length), 0)
  else assert.strictEqual(Number(head.length), whole.bytes)
  return whole
}

describe("a HEAD is told what stands in the head of the GET", () => {
  it.each([
    "/",
    "/healthz",
    "/readyz",
    "/metrics",
    "/v1/models",
    "/v1/models/claude-opus-5",
    "/v1/models/none",
    "/v1/balance",
    "/v1/usage",
    "/v1/usage?start_date=x",
    "/v1/dashboard/billing/subscription",
    "/v1/dashboard/billing/usage",
    "/v1/messages",
    "/v1/nothing",
    "/models",
    "/api/hello",
    "/status",
    "/status.json",
    "/openapi.json",
    "/llms.txt",
    "/dashboard",
    "/dashboard/signin",
    "/dashboard/assets/none.js",
    "/dashboard/favicon.svg",
    "/dashboard/api/openapi.json",
    "/dashboard/api/nothing",
    "/dashboard/api/auth/nothing",
    "/webhooks/sepay"
  ])("of %s, with a key and without", async (path) => {
    await compare(path)
    await compare(path, { "x-api-key": account.key, accept: "text/html", "accept-encoding": "br, gzip" })
  })

  it.each(endpoints.filter(({ method }) => method === "GET").map(({ path }) => path))(
    "of %s, for whoever may and for others",
    async (path) => {
      const place = `/dashboard/api${path.replaceAll(/:\w+/g, "987654321")}`
      await compare(place)
      await compare(place, { cookie: operator.cookie })
    }
  )
})

describe("a HEAD of what is streamed", () => {
  it("is told no length, as many times as it comes on a connection", async () => {
    const order = (await operator.post("/dashboard/api/top-ups", { amount: 100_000 })).body
    for (const path of ["usage.csv", "statement.csv", "operator/audit.csv", `top-ups/${order.id}/events`]) {
      const { status } = await compare(`/dashboard/api/${path}`, { cookie: operator.cookie })
      assert.strictEqual(status, 200)
      const asked = `HEAD /dashboard/api/${path} HTTP/1.1\r\nhost: h\r\ncookie: ${operator.cookie}\r\n\r\n`
      const heads = await allHeads(asked)
      assert.isAtLeast(heads.length, 32)
      for (const head of heads) assert.notMatch(head, /content-length|transfer-encoding/i)
    }
  })
})

describe("an answer that has no body by its status", () => {
  it("is told no length, nor where it is the last on its connection", async () => {
    const heads = await allHeads("OPTIONS /v1/messages HTTP/1.1\r\nhost: h\r\n\r\n")
    assert.match(heads.at(-1)!, /^HTTP\/1\.1 204 [^]*connection: close/i)
    for (const head of heads) assert.notMatch(head, /content-length/i)
    const early = await allHeads("OPTIONS /v1/messages HTTP/1.1\r\nhost: h\r\ncontent-length: 9\r\n\r\n")
    assert.lengthOf(early, 1)
    assert.match(early[0]!, /^HTTP\/1\.1 204 [^]*connection: close/i)
    assert.notMatch(early[0]!, /content-length/i)
  })
})

/** What is answered to a request that is sent again and again, until that is the last on its connection, which then ends. */
const allHeads = async (asked: string): Promise<ReadonlyArray<string>> => {
  const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1")
  const heads: Array<string> = []
  socket.write(asked)
  for await (const chunk of socket) {
    const text = (chunk as Buffer).toString("latin1")
    assert.isTrue(text.endsWith("\r\n\r\n"))
    heads.push(text)
    if (!/connection: close/i.test(text)) socket.write(asked)
  }
  return heads
}
