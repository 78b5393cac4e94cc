import type { EscrowClaim } from "../../src/storage/EscrowStore.ts"

/** All that there was, while no other node had any. */
export const escrowClaim = (
  claim: Pick<EscrowClaim, "accountId" | "granted"> & Partial<EscrowClaim>
): EscrowClaim => ({
  amount: claim.granted,
  isExact: false,
  isPending: false,
  isUnheard: false,
  elsewhere: 0n,
  free: 0n,
  active: true,
  ...claim
})
