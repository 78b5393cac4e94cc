/** The snippets, one tab for each tool; arrow keys move between tabs. */
import { useId, useRef, useState } from "preact/hooks"
import { text } from "../language.ts"
import { session } from "../session.ts"
import { makeSnippets, sampleKey } from "../snippets.ts"
import { CopyButton } from "./Button.tsx"

const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 }

export const Connect = ({ apiKey = sampleKey }: { readonly apiKey?: string }) => {
  const [chosen, setChosen] = useState(0)
  const tabs = useRef<HTMLDivElement>(null)
  const id = useId()
  const snippets = makeSnippets(session.value?.base_url ?? location.origin, apiKey)
  const shown = snippets[chosen] ?? snippets[0]!
  const move = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = (chosen + step + snippets.length) % snippets.length
    setChosen(next)
    tabs.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus()
  }
  return (
    <div>
      <div
        ref={tabs}
        role="tablist"
        aria-label={text().overview.connect}
        class="flex gap-1 overflow-x-auto border-b border-line px-1"
        onKeyDown={move}
      >
        {snippets.map((snippet, index) => (
          <button
            key={snippet.id}
            type="button"
            role="tab"
            id={`${id}-${snippet.id}`}
            aria-selected={index === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={index === chosen ? 0 : -1}
            onClick={() => setChosen(index)}
            class="-mb-px border-b-2 border-transparent px-3 py-2 text-sm font-medium whitespace-nowrap text-soft transition-colors hover:text-ink aria-selected:border-accent aria-selected:text-ink"
          >
            {snippet.name}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${shown.id}`} class="relative mt-3">
        <pre tabIndex={0} class="overflow-x-auto rounded-xl bg-sunken p-4 pr-14 font-mono leading-6">
          <code>{shown.code}</code>
        </pre>
        <div class="absolute top-2 right-2 rounded-lg bg-sunken">
          <CopyButton value={shown.code} label={text().common.copyThis(shown.name)} />
        </div>
      </div>
    </div>
  )
}
