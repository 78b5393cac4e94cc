/** How topping up may end otherwise than by the sum that was ordered, in English. */
import type { vietnamese } from "./paying-vi.ts"

export const english: typeof vietnamese = {
  differs: (ordered, came) => `That isn't what you ordered: you chose ${ordered}, and ${came} came.`,
  expired: "This code has expired",
  expiredHint: "If you've already paid, the money will still arrive. If not, create a new code.",
  newCode: (amount) => `New code for ${amount}`,
  problems: {
    top_up_closed: "Top-up isn't available yet.",
    amount_not_a_number: "Enter a whole amount, such as 500,000 or 500k.",
    amount_too_small: "The minimum is 50,000 ₫.",
    amount_too_large: "The maximum for one top-up is 500,000,000 ₫.",
    top_up_unavailable: "The bank could not prepare the payment. Please try again in a few minutes."
  }
}
