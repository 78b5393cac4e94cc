import { assert, describe, it } from "@effect/vitest"
import { createCipheriv, randomBytes } from "node:crypto"
import { keyPlace, makeSealKey, openText, sealText } from "../../src/accounts/seal-key.ts"
import { AccountId, KeyId } from "../../src/domain/ids.ts"

const sealKey = makeSealKey(randomBytes(32))
const key = { accountId: AccountId.make("acc_1"), keyId: KeyId.make("key_1") }
const place = keyPlace(key)
const secret = "sk-tg-0123456789abcdefghijklmnopqrstuvwxyzAB"

describe("sealText", () => {
  it("opens what it sealed", () => {
    assert.strictEqual(openText(sealKey, place, sealText(sealKey, place, secret)), secret)
  })

  it("never seals twice alike, and shows nothing of the secret", () => {
    const sealed = [sealText(sealKey, place, secret), sealText(sealKey, place, secret)]
    assert.isFalse(sealed[0]!.equals(sealed[1]!))
    assert.isFalse(sealed[0]!.includes("sk-tg-"))
  })

  it("does not open in another row or another account", () => {
    const sealed = sealText(sealKey, place, secret)
    assert.isUndefined(openText(sealKey, keyPlace({ ...key, keyId: KeyId.make("key_2") }), sealed))
    assert.isUndefined(openText(sealKey, keyPlace({ ...key, accountId: AccountId.make("acc_2") }), sealed))
  })

  it("does not open with another seal key, nor under another seal key's name", () => {
    const sealed = sealText(sealKey, place, secret)
    assert.isUndefined(openText(makeSealKey(randomBytes(32)), place, sealed))
    assert.isUndefined(openText({ ...sealKey, id: "another" }, place, sealed))
  })

  it("notices a change in any byte", () => {
    const sealed = sealText(sealKey, place, secret)
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed)
      changed[index]! ^= 1
      assert.isUndefined(openText(sealKey, place, changed))
    }
  })

  it("refuses blobs that were cut anywhere", () => {
    const sealed = sealText(sealKey, place, secret)
    for (let length = 0; length < sealed.length; length++) {
      assert.isUndefined(openText(sealKey, place, sealed.subarray(0, length)))
    }
  })

  it("refuses a blob with a valid but shorter tag", () => {
    const nonce = randomBytes(12)
    const cipher = createCipheriv("aes-256-gcm", sealKey.bytes, nonce, { authTagLength: 4 })
    cipher.setAAD(Buffer.from(`key|${sealKey.id}|${key.accountId}|${key.keyId}`))
    const ciphertext = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()])
    const shortTag = cipher.getAuthTag()
    assert.strictEqual(shortTag.length, 4)
    assert.isUndefined(openText(sealKey, place, Buffer.concat([nonce, shortTag, ciphertext])))
    const padded = Buffer.concat([shortTag, Buffer.alloc(12)])
    assert.isUndefined(openText(sealKey, place, Buffer.concat([nonce, padded, ciphertext])))
  })

  it("accepts only keys of 32 bytes", () => {
    assert.throws(() => makeSealKey(randomBytes(16)), /32 bytes/)
  })
})
