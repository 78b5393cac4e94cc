/** The words of the operator's desk in English. */
import type { vietnamese } from "./desk-vi.ts"

export const english: typeof vietnamese = {
  search: {
    title: "Search",
    label: "Find a customer",
    hint: "Email, name, API key, request ID, order code, transfer memo, company or tax code.",
    short: "Enter at least 3 characters.",
    none: "Nothing found",
    noneHint: "Request IDs, order codes and tax codes must be complete; a part of anything else will do.",
    nobody: "Not assigned yet",
    kinds: {
      call: "Call",
      key: "API key",
      order: "Top-up order",
      transfer: "Transfer",
      account: "Account",
      person: "Person",
      billing: "Billing details"
    }
  }
}
