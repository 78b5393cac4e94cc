/** A quick run of the fuzzing over sockets with a fixed seed; `node test/fuzz/run.ts` is the long one. */
import { afterAll, beforeAll, describe, it } from "vitest"
import { startGateway, type TestAccount, type TestGateway } from "../gateway/start-gateway.ts"
import { readCorpus } from "./corpus.ts"
import { assertSound, brokenCall, brokenHttp, brokenProvider } from "./http.ts"
import { Random } from "../Random.ts"

const seed = 20_260

describe("a running gateway", () => {
  const corpus = readCorpus()
  let gateway: TestGateway
  let account: TestAccount
  beforeAll(async () => {
    gateway = await startGateway()
    account = await gateway.account("10000000")
  })
  afterAll(() => gateway.stop())

  it("outlives broken HTTP, broken bodies and broken providers without a fault of its own", async () => {
    const turns = Array.from({ length: 400 }, (_, turn) => new Random(seed + turn))
    const statuses = new Map<string, number>()
    for (let start = 0; start < turns.length; start += 20) {
      await Promise.all(
        turns.slice(start, start + 20).map((random) => brokenHttp(random, gateway, account, statuses))
      )
    }
    for (const random of turns) await brokenCall(random, gateway, account, corpus, statuses)
    for (const random of turns) await brokenProvider(random, gateway, account, corpus, statuses)
    await assertSound(gateway, account, 10_000_000_000_000n)
  })
})
