/** The metrics page, read strictly: every line is a comment of a known form or a sample of a family announced before. */

export interface MetricFamily {
  readonly name: string
  readonly type: string
  readonly help: string
  readonly samples: Array<MetricSample>
}

export interface MetricSample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const sampleLine = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (-?[0-9.eE+-]+|\+Inf|-Inf|NaN)$/
const label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y

/** Throws at the first line that Prometheus would not take. */
export const parseMetrics = (text: string): ReadonlyMap<string, MetricFamily> => {
  if (!text.endsWith("\n")) throw new Error("the last line has no end")
  const families = new Map<string, MetricFamily>()
  let help: { readonly name: string; readonly text: string } | undefined
  for (const line of text.slice(0, -1).split("\n")) {
    const [, helpName, helpText] = /^# HELP (\S+) (.*)$/.exec(line) ?? []
    if (helpName !== undefined) {
      help = { name: helpName, text: helpText! }
      continue
    }
    const [, typeName, type] = /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(line) ?? []
    if (typeName !== undefined) {
      if (help?.name !== typeName) throw new Error(`no help for ${typeName}`)
      if (families.has(typeName)) throw new Error(`${typeName} twice`)
      families.set(typeName, { name: typeName, type: type!, help: help.text, samples: [] })
      continue
    }
    addSample(families, line)
  }
  return families
}

const addSample = (families: Map<string, MetricFamily>, line: string): void => {
  const [, name, labelText, value] = sampleLine.exec(line) ?? []
  if (name === undefined) throw new Error(`not a sample: ${line}`)
  const family =
    families.get(name) ??
    (/_(bucket|sum|count)$/.test(name) ? families.get(name.replace(/_(bucket|sum|count)$/, "")) : undefined)
  if (family === undefined) throw new Error(`a sample of no family: ${line}`)
  const sample = { name, labels: parseLabels(labelText ?? "", line), value: Number(value) }
  const key = JSON.stringify([sample.name, sample.labels])
  if (family.samples.some((other) => JSON.stringify([other.name, other.labels]) === key)) {
    throw new Error(`the same series twice: ${line}`)
  }
  family.samples.push(sample)
}

const parseLabels = (text: string, line: string): Readonly<Record<string, string>> => {
  const labels: Record<string, string> = {}
  label.lastIndex = 0
  while (label.lastIndex < text.length) {
    const found = label.exec(text)
    if (found === null) throw new Error(`labels that can not be read: ${line}`)
    labels[found[1]!] = found[2]!
  }
  return labels
}

export const readMetrics = async (gatewayUrl: string): Promise<ReadonlyMap<string, MetricFamily>> =>
  parseMetrics(await (await fetch(`${gatewayUrl}/metrics`)).text())

/** The sum of a family's samples that have these labels. */
export const sumOf = (
  families: ReadonlyMap<string, MetricFamily>,
  name: string,
  labels: Readonly<Record<string, string>> = {}
): number =>
  (families.get(name)?.samples ?? [])
    .filter((sample) => Object.entries(labels).every(([key, value]) => sample.labels[key] === value))
    .reduce((sum, { value }) => sum + value, 0)
