/** The edge of a gateway thread with plenty of everything, for tests of single exchanges. */
import { Edge } from "../../src/http/Edge.ts"
import { settingsWith } from "./settings-with.ts"

export const edgeOf = (limits: Parameters<typeof settingsWith>[0] = {}, trustProxy = false) =>
  new Edge({
    settings: () => settingsWith({ maxBufferedBytes: 10_000, ...limits }, { trustProxy }),
    machine: { memory: 1e9, descriptors: 10_000 },
    openCalls: () => 0,
    onClosed: () => {}
  })
