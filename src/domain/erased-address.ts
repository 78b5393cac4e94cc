/** The address of an account whose person was erased: nobody's (RFC 2606, 2), and another one for each account. */
import type { AccountId } from "./ids.ts"

export const erasedAddress = (accountId: AccountId): string => `${accountId.toLowerCase()}@erased.invalid`
