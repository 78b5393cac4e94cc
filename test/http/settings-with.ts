/** What the edge of a gateway thread asks of the settings. */
import type { Limits } from "../../src/config/settings.ts"
import type { EdgeOptions } from "../../src/http/Edge.ts"

export const settingsWith = (
  limits: Partial<Limits>,
  more: { readonly gatewayThreads?: number; readonly trustProxy?: boolean } = {}
): ReturnType<EdgeOptions["settings"]> => ({
  gatewayThreads: 1,
  trustProxy: false,
  ...more,
  limits: {
    callTimeoutSeconds: 900,
    drainSeconds: 30,
    handOverSeconds: 12,
    holdOutputTokens: 2_048,
    maxBodyBytes: 20,
    keepAliveSeconds: 15,
    stalledClientSeconds: 300,
    admissionQueueCapacity: 4_096,
    maxOpenCalls: 20_000,
    maxBufferedBytes: undefined,
    maxBufferedBytesPerAccount: undefined,
    maxDescriptors: undefined,
    maxConnectionsPerAddress: undefined,
    proxies: undefined,
    ...limits
  }
})
