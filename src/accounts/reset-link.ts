/** Links by which somebody chooses a new password, once. */
import type { AccountId } from "../domain/ids.ts"
import type { Transaction } from "../storage/Database.ts"
import { writeResetLink } from "../storage/people/person-password.ts"
import { hashSecret } from "./hash-secret.ts"

export const resetSeconds = 3_600

export const resetUrl = (publicUrl: string, token: string): string =>
  `${publicUrl}/dashboard/reset?token=${token}`

/** For somebody else to hand over. */
export const makeResetLink = async (
  transaction: Transaction,
  personId: AccountId,
  publicUrl: string
): Promise<string> => {
  const token = makeLinkToken()
  await writeResetLink(
    transaction,
    personId,
    resetIdentifier(token),
    new Date(Date.now() + resetSeconds * 1_000)
  )
  return resetUrl(publicUrl, token)
}

/** 122 bits, in 32 hexadecimal digits. */
export const makeLinkToken = (): string => crypto.randomUUID().replaceAll("-", "")

/** What is kept of it: whoever reads the database has no link by that. */
export const hashLinkToken = (token: string): string => hashSecret(token).toString("hex")

export const resetPrefix = "reset-password:"

/** As better-auth names those that it makes. */
export const resetIdentifier = (token: string): string => `${resetPrefix}${hashLinkToken(token)}`
