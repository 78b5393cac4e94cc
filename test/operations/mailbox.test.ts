import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit } from "effect"
import { makeFork } from "../../src/actors/ActorMap.ts"
import { unavailable } from "../../src/actors/Actor.ts"
import { Wallets } from "../../src/actors/Wallets.ts"
import type { AccountId, CallId } from "../../src/domain/ids.ts"
import { escrowClaim } from "../actors/escrow-claim.ts"

const account = "acc_1" as AccountId
const claimed = escrowClaim({ accountId: account, granted: 1_000n })

describe("a wallet whose database does not answer", () => {
  it.effect("lets only so many wait, refuses the others at once, and answers those who waited", () =>
    Effect.gen(function* () {
      const answers = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      let claims = 0
      const claim = () =>
        Effect.suspend(() => {
          const answer = answers[claims++]!
          return Effect.andThen(Deferred.await(answer), claims === 1 ? unavailable : Effect.succeed(claimed))
        })
      const fork = yield* makeFork
      const wallets = new Wallets({ claim, onIdleFunds: () => {}, mailboxCapacity: 3, fork })
      const asked = Array.from({ length: 5 }, (_, call) => {
        const callId = `req_${call}` as CallId
        return wallets.askUnsafe(account, { _tag: "Hold", callId, minimum: 1n, wanted: 10n }, 0)
      })
      assert.deepStrictEqual(asked.map(Exit.isExit), [false, false, false, true, true])
      yield* Deferred.succeed(answers[0]!, undefined)
      assert.strictEqual((yield* Effect.exit(asked[0]!))._tag, "Failure", "the first, whose claim has failed")
      yield* Deferred.succeed(answers[1]!, undefined)
      assert.deepStrictEqual(
        (yield* Effect.all([asked[1]!, asked[2]!])).map(({ _tag }) => _tag),
        ["Held", "Held"]
      )
    })
  )
})
