/** People of a server that sends no mail and limits nobody. */
import type { makePeople } from "../../src/accounts/people.ts"

export const peopleOptions = (databaseUrl: string, publicUrl: string): Parameters<typeof makePeople>[0] => ({
  databaseUrl,
  publicUrl,
  secrets: [{ version: 1, value: "s".repeat(32) }],
  mail: undefined,
  oauth: [],
  proxies: { http: undefined, https: undefined, none: [] },
  limited: false,
  onWarning: () => {}
})
