/** What a schedule found, with its last events and how to see all of them. */
import type { Finding } from "./Simulation.ts"

export const describeFinding = ({ message, seed, trace }: Finding): string =>
  [
    ...trace.slice(-60),
    `seed ${seed}: ${message}`,
    `node test/simulation/run.ts 1 ${seed} tells all of it`
  ].join("\n")
