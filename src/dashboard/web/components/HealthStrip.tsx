/** A day's hours side by side, each with its own words. */
import { type HealthLevel, healthLevelOf } from "../../../domain/health-level.ts"

export interface HealthCell {
  readonly at: number
  readonly calls: number
  readonly failed: number
}

const looks: Readonly<Record<HealthLevel, string>> = {
  idle: "h-3 bg-line",
  good: "h-7 bg-accent",
  degraded: "h-7 bg-warn",
  down: "h-7 bg-danger"
}

export const HealthStrip = (properties: {
  readonly label: string
  readonly cells: ReadonlyArray<HealthCell>
  /** A cell in words. */
  readonly describe: (cell: HealthCell, level: HealthLevel) => string
}) => (
  <ol aria-label={properties.label} class="flex h-7 items-end gap-0.5">
    {properties.cells.map((cell) => {
      const level = healthLevelOf(cell.calls, cell.failed)
      const words = properties.describe(cell, level)
      return (
        <li key={cell.at} title={words} class={`min-w-0 flex-1 rounded-sm ${looks[level]}`}>
          <span class="sr-only">{words}</span>
        </li>
      )
    })}
  </ol>
)
