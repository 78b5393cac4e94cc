/** What asks a bank's messenger, without a server in front of it. */
import { Effect } from "effect"
import { tmpdir } from "node:os"
import { loadSettings } from "../../src/config/load-settings.ts"
import { type DashboardContext, openDashboardContext } from "../../src/dashboard/DashboardContext.ts"

export const openReconciling = async (
  databaseUrl: string,
  bankUrl: string,
  warn: (message: string) => void
): Promise<DashboardContext> => {
  const environment = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: tmpdir(),
    TOLLGATE_SEAL_KEY: Buffer.alloc(32, 7).toString("base64"),
    TOLLGATE_BANK_BIN: "970436",
    TOLLGATE_BANK_ACCOUNT: "0123456789",
    TOLLGATE_BANK_ACCOUNT_NAME: "CONG TY TOLLGATE",
    SEPAY_API_TOKEN: "token"
  }
  const loaded = await Effect.runPromise(loadSettings(environment, tmpdir()))
  const baseUrls = { ...loaded.topUp.baseUrls, sepay: bankUrl }
  return openDashboardContext({
    settings: { ...loaded, topUp: { ...loaded.topUp, baseUrls } },
    limited: false,
    readLive: () => Promise.resolve(undefined),
    tryRoute: () => Promise.resolve(undefined),
    warn
  })
}
