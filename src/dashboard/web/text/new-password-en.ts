/** The words of getting a new password, in English. */
import type { vietnamese } from "./new-password-vi.ts"

export const english: typeof vietnamese = {
  forgotTitle: "Forgot your password?",
  forgotIntro: "Enter your account's email to reset your password.",
  forgotSend: "Request reset",
  forgotMailed: "If this email has an account, a reset link is on its way.",
  forgotAsked: "Request received. The operator will send you a reset link.",
  resetTitle: "Set a new password",
  resetIntro: "You'll be signed out everywhere else.",
  resetSave: "Save password",
  resetDone: "Password changed. Please sign in."
}
