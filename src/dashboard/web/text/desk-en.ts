/** The words of the operator's desk in English. */
import type { vietnamese } from "./desk-vi.ts"

export const english: typeof vietnamese = {
  service: {
    ofThisServer: "this server alone",
    settingsApart: (parts: string) =>
      `The servers' settings differ in: ${parts}. What a call costs and may do depends on the server it comes to.`
  },
  search: {
    title: "Search",
    label: "Find a customer",
    hint: "Email, name, API key, request ID, order code, transfer memo, bank reference, company or tax code.",
    short: "Enter at least 3 characters.",
    none: "Nothing found",
    noneHint:
      "Request IDs, order codes, bank references and tax codes must be complete; a part of anything else will do.",
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
  },
  customer: {
    closed: "Closed by its owner",
    memberOf: "Also a member of",
    views: "Parts of the customer's page",
    viewNames: {
      overview: "Overview",
      usage: "Usage",
      statement: "Statement",
      keys: "API keys",
      members: "Members"
    }
  },
  keys: {
    pause: "Pause",
    resume: "Resume",
    pauseHint: "Calls with this key are refused immediately on every server, until it is resumed.",
    resumeHint: "The key works again immediately on every server.",
    paused: "Key paused",
    resumed: "Key resumed",
    revokeHint: "The customer's key stops working immediately on every server. This can't be undone."
  },
  notes: {
    title: "Internal notes",
    hint: "For staff only. Notes can't be edited or deleted.",
    save: "Add note",
    none: "No notes yet"
  }
}
