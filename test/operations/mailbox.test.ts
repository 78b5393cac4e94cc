import { assert } from "@effect/vitest"
import { describe, it } from "vitest"
import { Wallets, type WalletAnswer } from "../../src/actors/Wallets.ts"
import type { AccountId, CallId } from "../../src/domain/ids.ts"

const account = "acc_1" as AccountId

describe("a wallet whose database does not answer", () => {
  it("lets only so many wait, refuses the others at once, and answers those who waited", () => {
    const wallets = new Wallets({ claim: () => {}, mailboxCapacity: 3 })
    const answers: Array<WalletAnswer["_tag"]> = []
    for (let call = 0; call < 5; call++) {
      const hold = { _tag: "Hold", callId: `req_${call}` as CallId, minimum: 1n, wanted: 10n } as const
      wallets.ask(account, hold, 0, (answer) => answers.push(answer._tag))
    }
    assert.deepStrictEqual(answers, ["Unavailable", "Unavailable"])
    wallets.claimed(account, undefined)
    assert.strictEqual(answers.length, 3, "the first, whose load has failed")
    wallets.claimed(account, { accountId: account, share: 1_000n, elsewhere: 0n, active: true })
    assert.deepStrictEqual(answers.slice(3), ["Held", "Held"])
  })
})
