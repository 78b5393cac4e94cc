/** A first and a last day. */

interface Range {
  readonly from: string
  readonly to: string
}

export const Days = (properties: {
  /** What the two fields are called. */
  readonly labels: readonly [from: string, to: string]
  readonly value: Range
  readonly onChange: (value: Range) => void
}) => {
  const { labels, onChange, value } = properties
  return (
    <div class="flex min-w-0 flex-wrap items-center gap-2">
      <input
        type="date"
        class="input w-auto"
        aria-label={labels[0]}
        value={value.from}
        max={value.to}
        onChange={(event) => onChange({ ...value, from: event.currentTarget.value })}
      />
      <span class="text-faint" aria-hidden="true">
        –
      </span>
      <input
        type="date"
        class="input w-auto"
        aria-label={labels[1]}
        value={value.to}
        min={value.from}
        onChange={(event) => onChange({ ...value, to: event.currentTarget.value })}
      />
    </div>
  )
}
