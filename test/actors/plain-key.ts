/** A key on which nothing is set but what is said. */
import type { KeyState } from "../../src/storage/LedgerStore.ts"

export const plainKey = (key: Pick<KeyState, "keyId" | "accountId"> & Partial<KeyState>): KeyState => ({
  active: true,
  rateLimitPerMinute: 0,
  paused: false,
  expiresAtMs: undefined,
  budgets: undefined,
  rules: undefined,
  secret: 0,
  formerSecretUntilMs: undefined,
  ...key
})
