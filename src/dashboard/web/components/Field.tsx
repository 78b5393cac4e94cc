/** Form fields with their label, hint and what is wrong beside them. */
import type { ComponentChildren, InputHTMLAttributes } from "preact"
import { useId } from "preact/hooks"

interface FieldProperties {
  readonly label: string
  readonly hint?: ComponentChildren
  readonly problem?: string | undefined
  readonly suffix?: string
  readonly value: string
  readonly onText: (value: string) => void
  readonly onBlur?: () => void
  readonly name?: string
  readonly type?: "text" | "email" | "password" | "date" | "datetime-local"
  readonly inputMode?: "numeric" | "decimal"
  readonly autoComplete?: string
  readonly autoFocus?: boolean
  readonly maxLength?: number | undefined
  /** A code, a name or an address for programs, in which each letter counts: keyboards are not to change it. */
  readonly isExact?: boolean
  /** The id of a list of what may be meant. */
  readonly list?: string
}

/** Such fields take years of up to six digits without a bound: one digit too many is another date. */
const latest = { date: "9999-12-31", "datetime-local": "9999-12-31T23:59" }

/** The keyboards of telephones begin with a capital letter, and correct what they do not know. In a browser all but the first are booleans. */
const exact: object = { autocapitalize: "none", autocorrect: false, spellcheck: false }

export const Field = (properties: FieldProperties) => {
  const { label, hint, isExact, problem, suffix, onText, type = "text", ...rest } = properties
  const id = useId()
  // Preact's types want to know each input's type beforehand.
  const max = type === "date" || type === "datetime-local" ? latest[type] : undefined
  const input = { ...rest, ...(isExact && exact), type, max } as InputHTMLAttributes<HTMLInputElement>
  return (
    <div>
      <label for={id} class="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      <div class="relative">
        <input
          {...input}
          id={id}
          class={`input ${suffix ? "pr-14" : ""}`}
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}-note`}
          onInput={(event) => onText(event.currentTarget.value)}
        />
        {suffix && (
          <span class="pointer-events-none absolute inset-y-0 right-3.5 flex items-center text-sm text-faint">
            {suffix}
          </span>
        )}
      </div>
      <FieldNote id={`${id}-note`} hint={hint} problem={problem} />
    </div>
  )
}

const FieldNote = (note: { id: string; hint: ComponentChildren; problem: string | undefined }) => (
  <p
    id={note.id}
    class={`text-[0.8125rem] ${note.problem ? "mt-1.5 text-danger" : note.hint ? "mt-1.5 text-faint" : ""}`}
  >
    {note.problem ?? note.hint}
  </p>
)

interface SelectProperties {
  readonly label: string
  readonly value: string
  readonly options: ReadonlyArray<readonly [value: string, name: string]>
  readonly onText: (value: string) => void
  readonly class?: string
  readonly id?: string
}

/** A select whose label is for screen readers alone: its first option says what it is. */
export const Select = ({ label, value, options, onText, class: more = "", ...rest }: SelectProperties) => (
  <select
    {...rest}
    class={`input ${more}`}
    aria-label={label}
    value={value}
    onChange={(event) => onText(event.currentTarget.value)}
  >
    {options.map(([optionValue, name]) => (
      <option key={optionValue} value={optionValue}>
        {name}
      </option>
    ))}
  </select>
)

/** A select among the fields of a form. */
export const SelectField = (properties: SelectProperties) => {
  const id = useId()
  return (
    <div>
      <label for={id} class="mb-1.5 block text-sm font-medium">
        {properties.label}
      </label>
      <Select {...properties} id={id} />
    </div>
  )
}

interface ChoiceProperties<A extends string> {
  readonly label: string
  /** `undefined`: none of them. */
  readonly value: A | undefined
  readonly options: ReadonlyArray<readonly [value: A, name: string]>
  readonly onChoose: (value: A) => void
}

/** One of a few, side by side. */
export const Choice = <A extends string>({ label, value, options, onChoose }: ChoiceProperties<A>) => (
  <div
    role="group"
    aria-label={label}
    class="inline-flex max-w-full gap-0.5 overflow-x-auto rounded-xl bg-sunken p-1"
  >
    {options.map(([optionValue, name]) => (
      <button
        key={optionValue}
        type="button"
        aria-pressed={value === optionValue}
        onClick={() => onChoose(optionValue)}
        class={`rounded-lg px-3 py-1.5 text-[0.8125rem] font-medium whitespace-nowrap transition-colors ${
          value === optionValue ? "bg-surface text-ink shadow-sm" : "text-soft hover:text-ink"
        }`}
      >
        {name}
      </button>
    ))}
  </div>
)

export const SearchField = (properties: {
  readonly label: string
  readonly value: string
  readonly onText: (value: string) => void
}) => (
  <input
    {...exact}
    type="search"
    class="input"
    aria-label={properties.label}
    placeholder={properties.label}
    value={properties.value}
    maxLength={200}
    onInput={(event) => properties.onText(event.currentTarget.value)}
  />
)
