/** The words around what operators say of maintenance in English. */
import type { vietnamese } from "./maintenance-vi.ts"

export const english: typeof vietnamese = {
  maintenance: "Under maintenance:",
  announcement: "Notice:",
  standing: "new calls are refused for now.",
  until: (time) => `Planned end: ${time}`,
  announce: "Announce to customers",
  change: "Edit the message",
  shown: "Customers see",
  message: "Message in Vietnamese",
  messageHint:
    "Shown above every page to whoever is signed in, and in 503 errors during maintenance; 300 characters at most.",
  messageNeeded: "Enter the message in Vietnamese.",
  messageEn: "Message in English (optional)",
  messageEnHint: "For customers who read English, and in 503 errors.",
  untilField: "Planned end (Vietnam time, optional)",
  untilHint: "An announcement disappears at this time. Maintenance stays on until you turn it off.",
  untilBad: "Choose a time ahead, within a year.",
  emptyHint: "Clear the message to take the announcement down.",
  save: "Save message",
  saved: "Message updated"
}
