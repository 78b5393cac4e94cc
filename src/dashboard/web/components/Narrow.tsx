/** A value in a list that narrows what the page shows to itself. */
import { usageText } from "../text/usage.ts"

interface NarrowProperties {
  readonly name: string
  /** Absent where it is what is shown already. */
  readonly onChoose: (() => void) | undefined
  readonly class?: string
}

export const Narrow = ({ name, onChoose, class: more = "" }: NarrowProperties) =>
  onChoose === undefined ? (
    <span class={more}>{name}</span>
  ) : (
    <button
      type="button"
      class={`rounded text-left underline-offset-4 hover:underline ${more}`}
      title={usageText().only(name)}
      onClick={onChoose}
    >
      {name}
    </button>
  )
