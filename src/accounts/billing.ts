/** Whom an account's receipts and statements are made out to. */
import { Effect } from "effect"
import type { AccountId } from "../domain/ids.ts"
import { isTaxCode } from "../domain/tax-code.ts"
import { type BillingDetails, writeBillingDetails } from "../storage/BillingStore.ts"
import { Database } from "../storage/Database.ts"
import type { Asker } from "../storage/still-asks.ts"
import { AccountNotFound } from "./accounts.ts"
import { BadText, checkEmail, checkText } from "./check-text.ts"

/** Any of them may be empty. */
export const setBillingDetails = Effect.fn("setBillingDetails")(function* (
  accountId: AccountId,
  given: BillingDetails,
  asker: Asker
) {
  const checked = checkDetails(given)
  if (checked instanceof BadText) return yield* checked
  const database = yield* Database
  const isSet = yield* database.run("write billing details", (sql) =>
    writeBillingDetails(sql, accountId, checked, asker)
  )
  return isSet ? checked : yield* new AccountNotFound({ account: accountId })
})

const checkDetails = (given: BillingDetails): BillingDetails | BadText => {
  const company = emptyOr(given.company, (text) => checkText("company", text, 200))
  if (company instanceof BadText) return company
  const taxCode = emptyOr(given.taxCode, checkTaxCode)
  if (taxCode instanceof BadText) return taxCode
  const address = emptyOr(given.address, (text) => checkText("address", text, 300))
  if (address instanceof BadText) return address
  const email = emptyOr(given.email, checkEmail)
  return email instanceof BadText ? email : { company, taxCode, address, email }
}

const emptyOr = (text: string, check: (text: string) => string | BadText) =>
  text.trim() === "" ? "" : check(text)

const checkTaxCode = (text: string): string | BadText => {
  const code = text.replaceAll(/\s/g, "")
  return isTaxCode(code)
    ? code
    : new BadText({ what: "tax code", reason: "must have 10 digits, 10 and 3, or 12" })
}
