/** What can go wrong, in English. */
import type { Problems } from "./problems-vi.ts"

export const englishProblems: Problems = {
  network: "No connection. Check your network and try again.",
  unknown: "Something went wrong. Please try again later.",
  ambiguousAmount: (inThousands, withFraction) =>
    `This can be read in two ways. Enter ${inThousands} for thousands, or ${withFraction} for a fraction.`,
  codes: {
    invalid: "Something in the form is not valid.",
    not_found: "Not found.",
    signed_out: "Your session has ended. Please sign in again.",
    account_disabled: "This account is disabled. Please contact the operator.",
    too_many_keys: "You have 10 active keys, the most there can be. Revoke one first.",
    too_many_tokens: "You have 20 tokens, the most there can be. Revoke one first.",
    key_revoked: "This key is revoked.",
    key_not_showable: "This key can not be shown again.",
    wrong_password: "The password is wrong.",
    too_many_tries: "Too many tries. Please wait a few minutes.",
    too_many_exports: "Two other exports are running. Let them finish first.",
    period_too_long: "The period is too long.",
    top_up_closed: "Top-up is not open yet.",
    amount_not_a_number: "Enter a whole amount, such as 500,000 or 500k.",
    amount_too_small: "The minimum is 50,000 ₫.",
    amount_too_large: "This is too much for one top-up.",
    below_zero: "The balance does not cover this correction.",
    not_confirmed: "Stored, but a server has not confirmed it. Please try again.",
    already_assigned: "This transfer is already assigned.",
    nothing_to_credit: "This transfer has no amount that can be credited. Credit the account by hand.",
    credit_repeated:
      "A credit was saved already, with another amount. Look at the balance before you add another.",
    own_account: "You can not disable your own account.",
    no_person: "Nobody can sign in to this account yet.",
    unavailable: "The service is interrupted for a moment. Please try again.",
    INVALID_EMAIL_OR_PASSWORD: "The email or the password is wrong.",
    INVALID_PASSWORD: "The current password is wrong.",
    USER_ALREADY_EXISTS: "There is already an account with this email.",
    USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: "There is already an account with this email.",
    FAILED_TO_CREATE_USER: "No account can be made with this email.",
    PASSWORD_TOO_SHORT: "The password needs at least 10 characters.",
    PASSWORD_TOO_LONG: "The password is too long.",
    INVALID_EMAIL: "The email is not valid.",
    INVALID_TOKEN: "The link has expired or was used already.",
    SESSION_EXPIRED: "Your session has ended. Please sign in again."
  }
}
