/** Links by which somebody chooses a new password, once. */
import type { AccountId } from "../domain/ids.ts"
import type { Transaction } from "../storage/Database.ts"
import { writeResetLink } from "../storage/person-password.ts"

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
  await writeResetLink(transaction, personId, token, new Date(Date.now() + resetSeconds * 1_000))
  return resetUrl(publicUrl, token)
}

/** 122 bits, in 32 hexadecimal digits. */
export const makeLinkToken = (): string => crypto.randomUUID().replaceAll("-", "")
