import { assert, describe, it } from "@effect/vitest"
import type { AccountId, KeyId } from "../../src/domain/ids.ts"
import { KnownKeys } from "../../src/ledger/bridge/KnownKeys.ts"
import { LeaseDeadline } from "../../src/ledger/bridge/LeaseDeadline.ts"

const identity = { accountId: "acc_1" as AccountId, keyId: "key_1" as KeyId, secret: 1 }

describe("keys that a thread knows", () => {
  it("are known until the node's life ends", () => {
    const deadline = LeaseDeadline.make()
    const known = new KnownKeys(new LeaseDeadline(deadline.memory))
    known.keeper("hash", identity)
    assert.strictEqual(known.find("hash"), identity)
    deadline.end()
    assert.isUndefined(known.find("hash"))
    known.keeper("hash", identity)
    assert.strictEqual(known.find("hash"), identity)
  })

  it("are not kept where they were asked for in another life", () => {
    const deadline = LeaseDeadline.make()
    const known = new KnownKeys(new LeaseDeadline(deadline.memory))
    const { keeper } = known
    deadline.end()
    keeper("hash", identity)
    assert.isUndefined(known.find("hash"))
    keeper("hash", identity)
    assert.isUndefined(known.find("hash"))
  })
})
