/** Every model of the catalogue, by every way to it: what is charged is the price times what was counted, to the µVND. */
import { assert } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, it } from "vitest"
import { type Answered, ask } from "./ask.ts"
import { type CountingProvider, type Counts, startCountingProvider } from "./counting-provider.ts"
import { pixel } from "./endpoints.ts"
import { routesTo, startGateway, type TestAccount, type TestGateway } from "./start-gateway.ts"

interface Listed {
  readonly id: string
  readonly kind: "chat" | "image" | "speech"
  readonly price: { readonly per_mtok_vnd?: number; readonly per_request_vnd?: number }
  readonly upstream: { readonly protocols: ReadonlyArray<string> }
}
const catalogue = JSON.parse(readFileSync("src/domain/catalogue.json", "utf8")) as ReadonlyArray<Listed>

interface Way {
  readonly model: Listed
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}

const content = (place: number) => `call ${place}.`
/** Different for each call, and no part of it the sum of others. */
const countsOf = (place: number): Counts => ({
  fresh: place,
  cacheRead: 20_000 + place,
  cacheWrite: 500_000,
  output: 7000 + 3 * place,
  images: 1 + (place % 3)
})

const textWays = (model: Listed): ReadonlyArray<Omit<Way, "body"> & { readonly field: string }> => [
  { model, path: "/v1/messages", field: "messages" },
  { model, path: "/v1/chat/completions", field: "messages" },
  ...(model.upstream.protocols.includes("responses")
    ? [{ model, path: "/v1/responses", field: "input" }]
    : [])
]
const ways = catalogue.flatMap((model): ReadonlyArray<Way> => {
  if (model.kind === "speech")
    return [{ model, path: "/v1/audio/speech", body: { input: "", voice: "alloy" } }]
  if (model.kind === "image") {
    const edit = { prompt: "", image: pixel }
    const generations = [1, 2, 3].map((n) => ({
      model,
      path: "/v1/images/generations",
      body: { prompt: "", n }
    }))
    return [...generations, { model, path: "/v1/images/edits", body: edit }]
  }
  return textWays(model).flatMap(({ field, path }) =>
    [false, true].map((stream) => ({
      model,
      path,
      body: { [field]: "", stream, ...(path === "/v1/messages" && { max_tokens: 100 }) }
    }))
  )
})

const bodyOf = ({ body, model }: Way, place: number): Record<string, unknown> => {
  const filled = Object.entries(body).map(([name, value]) => {
    if (value !== "") return [name, value]
    return [name, name === "messages" ? [{ role: "user", content: content(place) }] : content(place)]
  })
  return { model: model.id, ...Object.fromEntries(filled) }
}

/** By the contract's words, and not by the program's. */
const costOf = ({ model }: Way, { cacheRead, cacheWrite, fresh, images, output }: Counts): bigint => {
  const { per_mtok_vnd: perMtok, per_request_vnd: perRequest } = model.price
  if (perMtok !== undefined) return BigInt(perMtok) * BigInt(fresh + cacheRead + cacheWrite + output)
  return BigInt(perRequest!) * 1_000_000n * BigInt(model.kind === "image" ? images : 1)
}

let provider: CountingProvider
let gateway: TestGateway
let account: TestAccount
const answers: Array<Answered> = []

beforeAll(async () => {
  provider = await startCountingProvider((body) => countsOf(Number(/call (\d+)\./.exec(body)?.[1])))
  const providers = routesTo(provider.url)
  const routes = Object.fromEntries(
    Object.entries(providers).map(([name, settings]) => [name, settings.routes])
  )
  gateway = await startGateway({ routes })
  account = await gateway.account("10000000")
  const waiting = [...ways.entries()]
  const call = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [place, way] = next
      answers[place] = await ask(gateway, account.key, way.path, bodyOf(way, place))
    }
  }
  await Promise.all(Array.from({ length: 16 }, call))
})
afterAll(async () => {
  await gateway.stop()
  provider.close()
})

describe(`each of the ${catalogue.length} models`, () => {
  it("is charged its price for what its upstream counted, by every way and 16 at once", async () => {
    const rows = new Map((await gateway.calls(account.accountId, ways.length)).map((row) => [row.id, row]))
    let left = 10_000_000_000_000n
    for (const [place, way] of ways.entries()) {
      const what = `${way.path} ${JSON.stringify(bodyOf(way, place))}`
      const answer = answers[place]!
      assert.strictEqual(answer.status, 200, `${what}: ${answer.text.slice(0, 300)}`)
      const row = rows.get(answer.id)!
      const cost = costOf(way, countsOf(place))
      assert.deepStrictEqual(
        [row.cost_micro_vnd, row.estimated, row.model],
        [cost, false, way.model.id],
        what
      )
      left -= cost
    }
    assert.strictEqual(await gateway.balance(account.accountId), left)
  })

  it("has no entry for a call beside its row, and sums of what the rows say", async () => {
    const [books] = await gateway.sql(
      (sql) => sql<Array<{ entries: number; calls: number; cost: string }>>`
        select (select count(*)::int4 from ledger_entries where account_id = ${account.accountId}) as entries,
          sum(calls)::int4 as calls, sum(cost_micro_vnd)::text as cost
        from usage_hours where account_id = ${account.accountId}`
    )
    const cost = ways.reduce((sum, way, place) => sum + costOf(way, countsOf(place)), 0n)
    assert.deepStrictEqual({ ...books }, { entries: 1, calls: ways.length, cost: String(cost) })
  })

  it("tells the cost and the price of a whole answer in its headers, and no cost of a stream", () => {
    for (const [place, way] of ways.entries()) {
      const header = (name: string) => answers[place]!.headers.get(`x-svc-${name}`)
      const { per_mtok_vnd: perMtok, per_request_vnd: perRequest } = way.model.price
      assert.strictEqual(header("model"), way.model.id)
      if (way.body["stream"] === true) {
        assert.isNull(header("cost-vnd"))
        continue
      }
      const [whole, part = ""] = header("cost-vnd")!.split(".")
      const told = BigInt(whole!) * 1_000_000n + BigInt(part.padEnd(6, "0"))
      assert.strictEqual(told, costOf(way, countsOf(place)), way.model.id)
      assert.strictEqual(header("price-vnd-per-mtok"), perMtok === undefined ? null : String(perMtok))
      assert.strictEqual(
        header("price-vnd-per-request"),
        perRequest === undefined ? null : String(perRequest)
      )
    }
  })
})
