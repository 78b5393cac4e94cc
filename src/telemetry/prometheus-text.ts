/** Families of samples in Prometheus' text format. */

export type Labels = Readonly<Record<string, string | number>>
export type Sample = readonly [labels: Labels, value: number | string]

export const single = (
  name: string,
  type: "counter" | "gauge",
  help: string,
  value: number | string
): string => family(name, type, help, [[{}, value]])

export const family = (
  name: string,
  type: "counter" | "gauge" | "summary",
  help: string,
  samples: ReadonlyArray<Sample>
): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n` +
  samples.map(([labels, value]) => `${name}${renderLabels(labels)} ${value}\n`).join("")

export const renderLabels = (labels: Labels): string => {
  const parts = Object.entries(labels).map(
    ([name, value]) => `${name}="${String(value).replace(/[\\"\n]/g, "_")}"`
  )
  return parts.length === 0 ? "" : `{${parts.join(",")}}`
}
