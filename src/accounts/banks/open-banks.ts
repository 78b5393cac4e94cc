/** The bank messengers that the settings name. */
import type { TopUpSettings } from "../../config/settings.ts"
import type { BankAdapter } from "./bank-transfer.ts"
import { hearCasso } from "./casso.ts"
import { listCasso } from "./list-casso.ts"
import { listPayos } from "./list-payos.ts"
import { listSepay } from "./list-sepay.ts"
import { hearPayos } from "./payos.ts"
import type { PayosAccess } from "./PayosRequests.ts"
import { payosProvider } from "./request-payment.ts"
import { hearSepay } from "./sepay.ts"

/** None where nothing is set. */
export const openBanks = (
  topUp: TopUpSettings,
  payos: PayosAccess | undefined
): ReadonlyArray<BankAdapter> => {
  const { bank, baseUrls, casso, sepay } = topUp
  const { apiToken: token } = sepay
  const { apiKey } = casso
  const adapters: ReadonlyArray<BankAdapter> = [
    {
      provider: "sepay",
      name: "SePay",
      watchesAccount: true,
      hear: sepay.webhookSecret === undefined && sepay.apiKey === undefined ? undefined : hearSepay(sepay),
      list:
        token === undefined || bank === undefined
          ? undefined
          : listSepay({ baseUrl: baseUrls.sepay, token, bankAccount: bank.account })
    },
    {
      provider: "casso",
      name: "Casso",
      watchesAccount: true,
      hear:
        casso.webhookSecret === undefined && casso.secureToken === undefined ? undefined : hearCasso(casso),
      list: apiKey === undefined ? undefined : listCasso({ baseUrl: baseUrls.casso, apiKey })
    },
    {
      provider: payosProvider,
      name: "payOS",
      watchesAccount: false,
      hear: payos && hearPayos(payos.checksumKey),
      list: payos && listPayos(payos)
    }
  ]
  return adapters.filter(({ hear, list }) => hear !== undefined || list !== undefined)
}
