/** What a gateway thread may use of the machine, where the settings do not say. */
import { totalmem } from "node:os"
import type { Settings } from "../config/settings.ts"
import type { BodyBounds } from "./BodyMemory.ts"

/** The machine's memory, or what a container may use of it. */
const memoryBytes = Math.min(totalmem(), process.constrainedMemory() || Infinity)

/**
 * An eighth of the memory for the bodies of all threads: each is there a second time as it goes upstream, and takes a
 * multiple of its size where it is converted. Some of full size must find room in any case.
 */
export const bodyBounds = (
  { gatewayThreads, limits }: Pick<Settings, "gatewayThreads" | "limits">,
  memory = memoryBytes
): BodyBounds => {
  const share = Math.max(4 * limits.maxBodyBytes, Math.floor(memory / 8 / gatewayThreads))
  const bytes = limits.maxBufferedBytes ?? share
  return { bytes, bytesPerAccount: limits.maxBufferedBytesPerAccount ?? Math.floor(bytes / 2) }
}
