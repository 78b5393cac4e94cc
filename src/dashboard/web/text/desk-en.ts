/** The words of the operator's desk in English. */
import type { vietnamese } from "./desk-vi.ts"

export const english: typeof vietnamese = {
  service: {
    ofThisServer: "this server alone",
    settingsApart: (parts: string) =>
      `The servers' settings differ in: ${parts}. What a call costs and may do, or what customers are shown and sent, depends on the server it comes to.`
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
      members: "Members",
      mail: "Mails and webhooks"
    }
  },
  mail: {
    sent: "Alerts sent",
    sentHint:
      "Alerts by email and webhook, with the outcome of the last attempt. Whether a link for a new password or for verification was emailed is shown under “Signing in”. Invitations that could not be emailed are in the server's log only.",
    wanted: "What they want to be told",
    mailTo: (email) => `Email to ${email}`,
    noMail: "No email at all",
    webhook: "Webhook",
    waysIn: "Signing in",
    nobody: "Nobody can sign in to this account.",
    by: "Signs in by",
    password: "password",
    totp: "code of an authenticator app",
    passkeys: (count) => (count === 1 ? "1 passkey" : `${count} passkeys`),
    elsewhere: (name, since) => `${name} since ${since}`,
    noWay: "Nothing yet: a link for a new password is needed",
    address: "Email address",
    verified: "verified",
    unverified: "not verified",
    signedOut: "not signed in anywhere",
    since: (when) => `since ${when}`,
    links: { password: "Unused link for a new password", address: "Unused link to verify an address" },
    mailed: (outcome) => `email: ${outcome}`,
    made: (when) => `made ${when}`,
    until: (when) => `expires ${when}`
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
