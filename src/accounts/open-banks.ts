/** The bank messengers that the settings name. */
import type { TopUpSettings } from "../config/settings.ts"
import type { BankAdapter } from "./bank-transfer.ts"
import { hearCasso } from "./casso.ts"
import { listCasso } from "./list-casso.ts"
import { listSepay } from "./list-sepay.ts"
import { hearSepay } from "./sepay.ts"

/** None where nothing is set. */
export const openBanks = ({ bank, baseUrls, casso, sepay }: TopUpSettings): ReadonlyArray<BankAdapter> => {
  const { apiToken: token } = sepay
  const { apiKey } = casso
  const adapters: ReadonlyArray<BankAdapter> = [
    {
      provider: "sepay",
      name: "SePay",
      hear: sepay.webhookSecret === undefined && sepay.apiKey === undefined ? undefined : hearSepay(sepay),
      list:
        token === undefined || bank === undefined
          ? undefined
          : listSepay({ baseUrl: baseUrls.sepay, token, bankAccount: bank.account })
    },
    {
      provider: "casso",
      name: "Casso",
      hear:
        casso.webhookSecret === undefined && casso.secureToken === undefined ? undefined : hearCasso(casso),
      list: apiKey === undefined ? undefined : listCasso({ baseUrl: baseUrls.casso, apiKey })
    }
  ]
  return adapters.filter(({ hear, list }) => hear !== undefined || list !== undefined)
}
