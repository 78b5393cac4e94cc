/** Codes as an authenticator app shows them (RFC 6238), and setting one up. */
import { createHmac } from "node:crypto"
import { type TestPerson, testPassword } from "../dashboard/TestPerson.ts"

const api = "/dashboard/api"
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

const bytesOf = (base32: string): Buffer => {
  const bits = [...base32.replaceAll("=", "")].map((letter) =>
    letters.indexOf(letter).toString(2).padStart(5, "0")
  )
  return Buffer.from((bits.join("").match(/.{8}/g) ?? []).map((octet) => Number.parseInt(octet, 2)))
}

export const codeOf = (secret: string, atMs = Date.now()): string => {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / 30_000)))
  const digest = createHmac("sha1", bytesOf(secret)).update(counter).digest()
  const offset = digest.at(-1)! & 15
  return String((digest.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, "0")
}

/** The one after it, which counts already: each is good once. */
export const nextCodeOf = (secret: string): string => codeOf(secret, Date.now() + 30_000)

export const secretOf = (uri: string): string => new URL(uri).searchParams.get("secret")!

export interface Enrolled {
  readonly secret: string
  readonly codes: ReadonlyArray<string>
}

export const enrol = async (person: TestPerson, atMs = Date.now()): Promise<Enrolled> => {
  const begun = await person.post(`${api}/auth/two-factor/enable`, { password: testPassword })
  if (begun.status !== 200) throw new Error(`setting up answered ${begun.status}: ${begun.text}`)
  const secret = secretOf(begun.body.totpURI)
  const done = await person.post(`${api}/auth/two-factor/verify-totp`, { code: codeOf(secret, atMs) })
  if (done.status !== 200) throw new Error(`the first code answered ${done.status}: ${done.text}`)
  return { secret, codes: begun.body.backupCodes }
}
