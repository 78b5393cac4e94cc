import { vi } from "vitest"

/** Waits until it holds, for as long as a machine with too much to do may take. */
export const until = <A>(holds: () => A | Promise<A>) => vi.waitUntil(holds, { timeout: 15_000, interval: 5 })
