/** Why money came or went, as people read it. */
import { statementText } from "./text/statement.ts"

/** What the ledger says of a payment by its code; the kind of the line says the rest. */
export const reasonOf = (reason: string): string =>
  reason === "opening credit" ? statementText().openingCredit : reason.replace(/^top-up /, "")
