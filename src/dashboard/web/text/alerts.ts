/** The words of the alerts page, loaded only with it. */
import { explainAlso } from "../api.ts"
import { language } from "../language.ts"
import { english } from "./alerts-en.ts"
import { vietnamese } from "./alerts-vi.ts"

export const alertsText = (): typeof vietnamese => (language.value === "vi" ? vietnamese : english)

/** How a mail or a webhook went; a number or a code of its server stays as it is. */
export const outcomeText = (outcome: string): string => {
  const outcomes: Readonly<Record<string, string>> = alertsText().outcomes
  return outcomes[outcome] ?? outcome
}

explainAlso(() => alertsText().problems)
