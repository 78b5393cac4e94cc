/** A day's hours side by side, each with its own words. */
import type { HealthLevel } from "../../../domain/health-level.ts"

interface Cell {
  readonly at: number
  readonly level: HealthLevel
  readonly words: string
}

const looks: Readonly<Record<HealthLevel, string>> = {
  idle: "h-3 bg-line",
  good: "h-7 bg-accent",
  degraded: "h-7 bg-warn",
  down: "h-7 bg-danger"
}

export const HealthStrip = (properties: { readonly label: string; readonly cells: ReadonlyArray<Cell> }) => (
  <ol aria-label={properties.label} class="flex h-7 items-end gap-0.5">
    {properties.cells.map(({ at, level, words }) => (
      <li key={at} title={words} class={`min-w-0 flex-1 rounded-sm forced-color-adjust-none ${looks[level]}`}>
        <span class="sr-only">{words}</span>
      </li>
    ))}
  </ol>
)
