/** What can go wrong, in English. */
import type { Problems } from "./problems-vi.ts"

export const englishProblems: Problems = {
  network: "No connection. Check your network and try again.",
  unknown: "Something went wrong. Please try again later.",
  ambiguousAmount: (inThousands, withFraction) =>
    `This can be read in two ways. Enter ${inThousands} for thousands, or ${withFraction} for a fraction.`,
  codes: {
    invalid: "Some of this isn't valid. Please check it.",
    unfinished_date: "A date is incomplete or doesn't exist. Complete it or clear it.",
    not_found: "Not found.",
    signed_out: "Your session has ended. Please sign in again.",
    signed_in_anew: "Someone else has signed in since. Nothing was changed.",
    account_disabled: "This account is disabled or has been closed. Please contact the operator.",
    address_unverified: "This account's email address isn't verified.",
    not_a_member: "You're no longer a member of this account.",
    role_forbids: "Your role doesn't allow this.",
    too_many_tokens: "You already have 20 tokens, the maximum. Revoke one first.",
    key_revoked: "This key has been revoked.",
    wrong_password: "Wrong password.",
    too_many_tries: "Too many attempts. Please wait a few minutes.",
    too_many_exports: "You have two exports running. Let one finish first.",
    period_too_long: "The period is too long.",
    not_confirmed: "Saved, but a server hasn't confirmed it. Please try again.",
    last_owner: "There is no other owner who can sign in. Make someone else an owner first.",
    email_taken: "Another account has this email.",
    too_large: "That is too much to send at once.",
    foreign_origin: "This isn't the service's own address. Please open it there.",
    unavailable: "The service is briefly unavailable. Please try again.",
    INVALID_EMAIL_OR_PASSWORD: "Wrong email or password.",
    INVALID_PASSWORD: "Your current password is wrong.",
    USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: "An account with this email already exists.",
    FAILED_TO_CREATE_USER: "We can't create an account with this email.",
    PASSWORD_TOO_SHORT: "Use at least 10 characters.",
    PASSWORD_TOO_LONG: "Use at most 128 characters for the password.",
    INVALID_EMAIL: "The email is not valid.",
    INVALID_TOKEN: "This link has expired or was already used.",
    SESSION_EXPIRED: "Your session has ended. Please sign in again."
  }
}
