/** Why an electronic invoice is not issued, in our own words: operators' pages have them in both languages. All else is the provider's. */
export const invoiceProblems = {
  inProgress: "in progress",
  unknown: "it may have been sent, and is not known there: look for it there before you ask again",
  toNobody: "the account's billing details name nobody any more, or the top-up was taken back"
} as const
