/** The words of second factors in English. */
import type { vietnamese } from "./security-vi.ts"

export const english: typeof vietnamese = {
  title: "Two-step verification",
  app: "Authenticator app",
  appHint:
    "Besides your password, you enter a 6-digit code from an app such as Google Authenticator when you sign in.",
  on: "On",
  setUp: "Set up an authenticator app",
  next: "Continue",
  turnOn: "Turn on",
  turnOff: "Turn off",
  turnedOn: "Two-step verification is on",
  turnedOff: "The authenticator app is off",
  removeTotp: "Turn off the authenticator app?",
  removeTotpHint: "You won't be asked for a code when you sign in. Your recovery codes stop working, too.",
  scan: "Scan the QR code with your authenticator app, then enter the 6-digit code it shows.",
  qr: "QR code that sets up an authenticator app",
  byHand: "Can't scan it? Enter the key by hand",
  secret: "setup key",
  code: "Verification code",
  codeHint: "The 6-digit code from your authenticator app, or a recovery code.",
  codeNeeded: "Enter the code.",
  codes: "recovery codes",
  codesTitle: "Recovery codes",
  codesHint: "Each works once if you lose your phone. Keep them somewhere safe; they won't be shown again.",
  newCodes: "New recovery codes",
  newCodesHint: "Your old recovery codes will stop working.",
  kept: "I've saved them",
  stepTitle: "Two-step verification",
  stepIntro: "Enter a code to finish signing in.",
  confirmTitle: "Confirm it's you",
  confirmHint: "This needs a fresh verification.",
  confirm: "Confirm",
  firstTitle: "Set up two-step verification",
  firstIntro: "Operators need two-step verification before they can use these pages.",
  signInWith: (name) => `Continue with ${name}`,
  problems: {
    account_not_linked:
      "An account with this email already exists. Sign in to it with your password; verify its email there, and this way works, too.",
    email_not_found: "That account has no verified email.",
    access_denied: "You didn't allow the sign-in.",
    other_way_failed: "Signing in that way didn't work. Please try again.",
    confirm_needed: "Confirm it's you to do this.",
    second_factor_needed: "Set up two-step verification first.",
    INVALID_CODE: "That code isn't right.",
    INVALID_BACKUP_CODE: "That code isn't right.",
    INVALID_TWO_FACTOR_COOKIE: "That took too long. Please sign in again.",
    TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: "Too many wrong codes. Sign in again.",
    ACCOUNT_TEMPORARILY_LOCKED: "Too many wrong codes. Try again in 15 minutes."
  }
}
