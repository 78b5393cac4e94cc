/** The words of the page of providers in English. */
import type { vietnamese } from "./providers-vi.ts"

const calls = (count: string): string => (count === "1" ? "1 call" : `${count} calls`)

export const english: typeof vietnamese = {
  title: "Providers",
  intro: "The routes to providers and how they fare on all servers, updated every 5 seconds.",
  none: "No routes yet",
  noneHint: "Configure a provider in tollgate.yaml or in the environment.",
  unknown: "–",
  states: { closed: "Normal", resting: "Resting", half_open: "Being tried", open: "Open circuit" },
  until: (time) => `until ${time}`,
  paused: "Paused",
  pause: "Pause",
  resume: "Resume",
  pausedNow: "The route is paused on all servers",
  resumed: "The route is back on all servers",
  calls: "Calls in 1 hour",
  successRate: "Success rate",
  p50: "First byte, p50",
  p95: "First byte, p95",
  ms: (value) => `${value} ms`,
  lastError: "Last error",
  noError: "None",
  errors: {
    connect: "no connection",
    timeout: "no answer in time",
    broken: "the answer broke off",
    credentials: "no credentials for AWS"
  },
  day: "Last 24 hours",
  dayOf: (route) => `Last 24 hours of ${route}`,
  cell: (time, count, failed) => `${time}: ${calls(count)}, ${failed} failed`,
  test: "Test",
  testing: "Testing…",
  testWell: "The test went well",
  testBad: "The test failed",
  firstByte: "first byte",
  total: "total",
  weigh: "Weight",
  weighTitle: (route) => `Weight of ${route}`,
  weight: "Weight",
  weightOf: (weight, priority) => `${weight} (priority ${priority})`,
  weightHint:
    "Routes of one priority share calls by their weights. Leave it empty to use the configured value.",
  weightBad: "Enter a number above 0, at most 1000.",
  weighed: "The weight is changed on all servers",
  save: "Save"
}
