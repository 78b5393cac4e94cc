/** A plain horizontal bar chart as SVG, readable on light and dark pages. */
import type { Plot } from "../Question.ts"
import { shown } from "../measure/statistics.ts"

const width = 640
const labelWidth = 130
const valueWidth = 90
const barHeight = 22
const gap = 8
const top = 48

export const barChart = ({ bars, title, unit }: Plot): string => {
  const most = Math.max(...bars.map(({ value }) => value))
  const height = top + bars.length * (barHeight + gap) + gap
  const rows = bars.map(({ label, value }, index) => {
    const y = top + index * (barHeight + gap)
    const length = Math.max(1, ((width - labelWidth - valueWidth) * value) / most)
    return (
      `<text x="${labelWidth - 8}" y="${y + 15}" text-anchor="end">${escaped(label)}</text>` +
      `<rect x="${labelWidth}" y="${y}" width="${length.toFixed(1)}" height="${barHeight}" rx="2" fill="${colourOf(label)}"/>` +
      `<text x="${(labelWidth + length + 6).toFixed(1)}" y="${y + 15}">${shown(value)}</text>`
    )
  })
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
    `font-family="system-ui, sans-serif" font-size="13" fill="#24292f">` +
    `<rect width="100%" height="100%" rx="6" fill="#ffffff"/>` +
    `<text x="12" y="20" font-weight="600">${escaped(title)}</text>` +
    `<text x="12" y="38" font-size="11" fill="#57606a">${escaped(unit)}</text>${rows.join("")}</svg>\n`
  )
}

const colourOf = (label: string): string =>
  label === "bare relay" ? "#8c959f" : label === "Portkey" ? "#bf8700" : "#0969da"

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
