/** What people may call things, and write as a reason: one line that shows as what it is. */
import { Schema } from "effect"
import { emailLengthMax } from "../domain/field-limits.ts"
import { composedText, isOwnEmail, typedEmail } from "../domain/typed-text.ts"

export class BadText extends Schema.TaggedError<BadText>()("BadText", {
  what: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `The ${this.what} ${this.reason}`
  }
}

// Control characters, broken characters, line separators, and marks that turn the direction of writing.
const hidden = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u

// Something of which is seen; characters of no width, or fillers of it, alone are not.
const visible = /[^\p{Z}\p{Cf}\u115f\u1160\u2800\u3164\uffa0]/u

/** The text without surrounding spaces, letters and their accents as one character, or what is wrong with it. */
export const checkText = (what: string, text: string, lengthMax: number): string | BadText => {
  const trimmed = composedText(text).trim()
  if (!visible.test(trimmed)) return new BadText({ what, reason: "must not be empty" })
  if (hidden.test(trimmed)) {
    return new BadText({ what, reason: "must not contain control characters" })
  }
  if ([...trimmed].length > lengthMax) {
    return new BadText({ what, reason: `must not be longer than ${lengthMax} characters` })
  }
  return trimmed
}

/** As `checkText`, of more than one line. */
export const checkLines = (what: string, text: string, lengthMax: number): string | BadText => {
  const lines = composedText(text).trim().replaceAll("\r\n", "\n")
  const checked = checkText(what, lines.replaceAll("\n", " "), lengthMax)
  return typeof checked === "string" ? lines : checked
}

/** The form of an email address, not whether anyone reads it. */
export const checkEmail = (email: string): string | BadText => {
  const text = checkText("email", typedEmail(email), emailLengthMax)
  if (typeof text !== "string") return text
  return /^[^\s@"<>(),:;\\[\]]+@[^\s@.]+(\.[^\s@.]+)+$/u.test(text)
    ? text
    : new BadText({ what: "email", reason: "is not an email address" })
}

/** The form of an address that its owner is to sign in with. */
export const checkOwnEmail = (email: string): string | BadText => {
  const text = checkEmail(email)
  return typeof text !== "string" || isOwnEmail(text)
    ? text
    : new BadText({ what: "email", reason: "is none that can be signed in with" })
}
