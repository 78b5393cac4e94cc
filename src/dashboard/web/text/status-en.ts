/** The words of the page of the service's status in English. */
import type { vietnamese } from "./status-vi.ts"

export const english: typeof vietnamese = {
  title: "Service status",
  intro: "How each family of models is doing, now and over the last 24 hours.",
  none: "No models yet",
  states: { operational: "Operational", degraded: "Degraded", down: "Down" },
  levels: { idle: "no calls", good: "operational", degraded: "degraded", down: "down" },
  day: "Last 24 hours",
  dayOf: (family) => `Last 24 hours of ${family}`,
  asOf: (time) => `As of ${time}`
}
