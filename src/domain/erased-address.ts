/** The address of an account whose person was erased: nobody's (RFC 2606, 2), and another one for each account. */
import type { AccountId } from "./ids.ts"

export const erasedAddress = (accountId: AccountId): string => `${accountId.toLowerCase()}@erased.invalid`

interface AccountState {
  readonly accountId: AccountId
  readonly email: string
  readonly isClosed: boolean
  readonly hasPerson: boolean
}

/** False once somebody was let in to it again. */
export const isErased = ({ accountId, email, hasPerson, isClosed }: AccountState): boolean =>
  isClosed && !hasPerson && email === erasedAddress(accountId)
