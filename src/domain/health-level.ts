/** How well something goes, from how many of its calls failed. */

export const healthLevels = ["idle", "good", "degraded", "down"] as const
export type HealthLevel = (typeof healthLevels)[number]

/** Some fail on the best of days. */
const degradedFrom = 0.03
const downFrom = 0.5

/** `idle`: there were no calls to tell it from. */
export const healthLevelOf = (calls: number, failed: number): HealthLevel => {
  if (calls === 0) return "idle"
  const share = failed / calls
  return share >= downFrom ? "down" : share >= degradedFrom ? "degraded" : "good"
}
