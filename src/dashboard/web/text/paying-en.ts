/** What can go wrong when one tops up, in English. */
import type { vietnamese } from "./paying-vi.ts"

export const english: typeof vietnamese = {
  problems: {
    top_up_closed: "Top-up isn't available yet.",
    amount_not_a_number: "Enter a whole amount, such as 500,000 or 500k.",
    amount_too_small: "The minimum is 50,000 ₫.",
    amount_too_large: "The maximum for one top-up is 500,000,000 ₫.",
    top_up_unavailable: "The bank could not prepare the payment. Please try again in a few minutes."
  }
}
