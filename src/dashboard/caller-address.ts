/** Who asks, as far as limits can tell them apart. */
import { addressBlock } from "../domain/address-block.ts"
import type { Incoming } from "./exchange.ts"

/** The gateway writes this header itself and strips the caller's own. */
export const callerAddress = (incoming: Pick<Incoming, "header">): string =>
  addressBlock(incoming.header("x-real-ip"))
