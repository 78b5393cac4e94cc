/** Bars over time. The library draws on a canvas; a table beside it says the same to everyone. */
import { useEffect, useRef, useState } from "preact/hooks"
import uPlot from "uplot"
// oxlint-disable-next-line import/no-unassigned-import -- Styles are imported for their effect alone.
import "uplot/dist/uPlot.min.css"
import { theme } from "../theme.ts"

export interface Bar {
  /** At the axis. */
  readonly label: string
  /** In the tooltip and the table. */
  readonly title: string
  readonly value: number
  readonly shown: string
  /** What it is made of, from below; in the order of the chart's `parts`. */
  readonly values?: ReadonlyArray<number> | undefined
}

interface ChartProperties {
  readonly label: string
  /** One of them at least is above 0. */
  readonly bars: ReadonlyArray<Bar>
  /** Writes a value at the axis. */
  readonly axis: (value: number) => string
  /** Names of what bars are made of. */
  readonly parts?: ReadonlyArray<string>
  /** Hears which bar is clicked, which need not be one above 0. */
  readonly onChoose?: ((index: number) => void) | undefined
  /** Says what a click on a bar does. */
  readonly chooseLabel?: ((title: string) => string) | undefined
}

const height = 240

export const Chart = ({ label, bars, axis, chooseLabel, onChoose, parts = [] }: ChartProperties) => {
  const place = useRef<HTMLDivElement>(null)
  const [hovered, setHovered] = useState<{ readonly index: number; readonly left: number }>()
  const currentTheme = theme.value
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const onHover = (index: number | null | undefined, left: number) =>
      setHovered(index == null ? undefined : { index, left })
    const plot = new uPlot(
      optionsFor(element, bars, { axis, onHover, layers: layersOf(bars) }),
      dataOf(bars),
      element
    )
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [bars, currentTheme])
  const bar = hovered && bars[hovered.index]
  return (
    <div class="relative">
      {/* The table below has a button for each bar, which keyboards reach. Until what is drawn has followed a narrower page, it must not widen it. */}
      <div
        ref={place}
        role="img"
        aria-label={label}
        class={`h-60 w-full overflow-hidden ${onChoose && bar ? "cursor-pointer" : ""}`}
        onClick={() => hovered && onChoose?.(hovered.index)}
      />
      {parts.length > 0 && (
        <ul class="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-soft">
          {parts.map((name, part) => (
            <li key={name} class="flex items-center gap-1.5">
              <span
                class="size-2.5 rounded-sm border border-line-strong forced-color-adjust-none"
                style={{ background: shadeOf(part) }}
              />
              {name}
            </li>
          ))}
        </ul>
      )}
      {bar && (
        <div
          class="pointer-events-none absolute top-0 z-10 -translate-x-1/2 rounded-lg bg-ink px-3 py-1.5 text-center text-xs whitespace-nowrap text-canvas"
          style={{ left: `clamp(4rem, ${hovered.left}px, calc(100% - 4rem))` }}
        >
          <span class="block opacity-80">{bar.title}</span>
          <span class="number block text-sm font-semibold">{bar.shown}</span>
          {chooseLabel && <span class="block opacity-80">{chooseLabel(bar.label)}</span>}
        </div>
      )}
    </div>
  )
}

/** How many parts a bar has; a whole one is one. */
const layersOf = (bars: ReadonlyArray<Bar>): number => bars[0]?.values?.length ?? 1

/** A layer reaches from the ground to its top, and those below are drawn over it. */
const dataOf = (bars: ReadonlyArray<Bar>): uPlot.AlignedData => {
  const layers = layersOf(bars)
  const topOf = ({ value, values = [value] }: Bar, layer: number) =>
    values.slice(0, layers - layer).reduce((sum, part) => sum + part, 0)
  return [
    bars.map((_, index) => index),
    ...Array.from({ length: layers }, (_, layer) => bars.map((bar) => topOf(bar, layer)))
  ]
}

/** The strongest below; of one colour, so that it belongs to either theme. */
const shares = [100, 76, 56, 40, 26, 14]
const shadeOf = (part: number): string =>
  `color-mix(in srgb, var(--accent) ${shares[part] ?? 8}%, var(--surface))`

/** Canvas knows no CSS variables, and `light-dark()` has to be resolved: an element's colour is. One that is kept is not forced to be another. */
const colourOf = (element: HTMLElement, colour: string, isKept = false): string => {
  const probe = document.createElement("span")
  probe.style.color = colour
  if (isKept) probe.style.setProperty("forced-color-adjust", "none")
  element.append(probe)
  const resolved = getComputedStyle(probe).color
  probe.remove()
  return resolved
}

interface Drawing {
  readonly axis: (value: number) => string
  readonly layers: number
  readonly onHover: (index: number | null | undefined, left: number) => void
}

const optionsFor = (
  element: HTMLElement,
  bars: ReadonlyArray<Bar>,
  { axis, layers, onHover }: Drawing
): uPlot.Options => {
  const ink = colourOf(element, "var(--ink-faint)")
  const line = colourOf(element, "var(--line)")
  const font = `12px ${getComputedStyle(element).fontFamily}`
  const axisLook = { stroke: ink, font, ticks: { show: false } }
  return {
    width: element.clientWidth,
    height,
    padding: [16, 8, 0, 0],
    legend: { show: false },
    cursor: { x: false, y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: [-0.6, bars.length - 0.4] },
      y: { range: (_, __, max) => [0, max * 1.08] }
    },
    axes: [
      {
        ...axisLook,
        size: 32,
        grid: { show: false },
        values: (_, splits) =>
          splits.map((split) => (Number.isInteger(split) ? (bars[split]?.label ?? "") : "")),
        space: 56
      },
      {
        ...axisLook,
        size: (_, values) => Math.max(40, ...(values ?? []).map((value) => value.length * 7 + 12)),
        grid: { stroke: line, width: 1 },
        values: (_, splits) => splits.map(axis)
      }
    ],
    series: [
      {},
      ...Array.from({ length: layers }, (_, layer) => ({
        // Parts are told by their colours alone.
        fill: colourOf(element, shadeOf(layers - 1 - layer), layers > 1),
        width: 0,
        points: { show: false },
        paths: uPlot.paths.bars!({ size: [0.66, 44], radius: layer === 0 ? 0.18 : 0 })
      }))
    ],
    hooks: {
      setCursor: [
        ({ bbox, cursor }) => onHover(cursor.idx, (cursor.left ?? 0) + bbox.left / devicePixelRatio)
      ]
    }
  }
}
