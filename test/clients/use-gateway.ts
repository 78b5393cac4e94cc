/** A gateway with one funded account for the tests of one file, and what it charged. */
import { assert } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { replay } from "../gateway/ask.ts"
import { type CallRow, startGateway, type TestAccount, type TestGateway } from "../gateway/start-gateway.ts"
import { perMtokVnd } from "./models.ts"

export const useGateway = () => {
  let gateway: TestGateway
  let account: TestAccount
  let seen = 0
  beforeAll(async () => {
    gateway = await startGateway()
    account = await gateway.account("5000000")
  })
  afterAll(() => gateway.stop())
  return {
    gateway: () => gateway,
    account: () => account,
    get url() {
      return gateway.url
    },
    get key() {
      return account.key
    },
    /** The rows of the account since this was asked last; at least `count` of them. */
    newCalls: async (count: number): Promise<ReadonlyArray<CallRow>> => {
      const rows = (await gateway.calls(account.accountId, seen + count)).slice(seen)
      seen += rows.length
      return rows
    },
    post: (path: string, body: unknown, headers: Record<string, string> = {}) =>
      fetch(gateway.url + path, {
        method: "POST",
        headers: { "x-api-key": account.key, "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body)
      }),
    replay: async (order: {
      readonly path: string
      readonly body: Buffer
      readonly status?: number
      readonly contentType: string
      readonly headers?: Readonly<Record<string, string>>
      readonly chunkSizes?: ReadonlyArray<number>
      readonly times?: number
    }) => {
      const { contentType, headers, ...rest } = order
      await replay(gateway, { ...rest, headers: { ...headers, "content-type": contentType } })
    }
  }
}

/** A row of a successful call: charged for what the upstream counted, to the micro-dong. */
export const assertCharged = (row: CallRow, model: string): void => {
  assert.strictEqual(row.status, 200, `${model}: ${row.error_type}`)
  assert.strictEqual(row.model, model)
  assert.isFalse(row.estimated, model)
  assert.isAbove(row.input_tokens, 0, model)
  assert.isAbove(row.output_tokens, 0, model)
  assert.strictEqual(row.cost_micro_vnd, BigInt(row.input_tokens + row.output_tokens) * perMtokVnd[model]!)
}
