/** Whom an account's receipts and statements are made out to. */
import { Effect } from "effect"
import { addressLengthMax, companyLengthMax } from "../domain/field-limits.ts"
import type { AccountId } from "../domain/ids.ts"
import { isTaxCode, typedTaxCode } from "../domain/tax-code.ts"
import { type BillingDetails, writeBillingDetails } from "../storage/payments/BillingStore.ts"
import { Database } from "../storage/Database.ts"
import type { Asker } from "../storage/still-asks.ts"
import { AccountNotFound } from "./accounts.ts"
import { BadText, checkEmail, checkText } from "./check-text.ts"

/** Any of them may be empty; what is not given stays as it is. */
export const setBillingDetails = Effect.fn("setBillingDetails")(function* (
  accountId: AccountId,
  given: Partial<BillingDetails>,
  asker: Asker
) {
  const checked = checkDetails(given)
  if (checked instanceof BadText) return yield* checked
  const database = yield* Database
  const details = yield* database.run("write billing details", (sql) =>
    writeBillingDetails(sql, accountId, checked, asker)
  )
  return details ?? (yield* new AccountNotFound({ account: accountId }))
})

const checkers: Readonly<Record<keyof BillingDetails, (text: string) => string | BadText>> = {
  company: (text) => checkText("company", text, companyLengthMax),
  taxCode: (text) => checkTaxCode(text),
  address: (text) => checkText("address", text, addressLengthMax),
  email: (text) => checkEmail(text)
}

const checkDetails = (given: Partial<BillingDetails>): Partial<BillingDetails> | BadText => {
  const checked: Partial<Record<keyof BillingDetails, string>> = {}
  for (const name of ["company", "taxCode", "address", "email"] as const) {
    const text = given[name]
    if (text === undefined) continue
    const value = emptyOr(text, checkers[name])
    if (value instanceof BadText) return value
    checked[name] = value
  }
  return checked
}

const emptyOr = (text: string, check: (text: string) => string | BadText) =>
  text.trim() === "" ? "" : check(text)

const checkTaxCode = (text: string): string | BadText => {
  const code = typedTaxCode(text)
  return isTaxCode(code)
    ? code
    : new BadText({ what: "tax code", reason: "must have 10 digits, 10 and 3, or 12" })
}
