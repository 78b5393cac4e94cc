/** How to connect a client: the popular ones as tabs, between which arrow keys move, all others in a list beside them. */
import { useId, useRef, useState } from "preact/hooks"
import { get } from "../api.ts"
import { text } from "../language.ts"
import { session } from "../session.ts"
import { sampleKey, type Shell, type Snippet } from "../snippet-forms.ts"
import { popular, snippets, usualModel } from "../snippets.ts"
import { docsText } from "../text/docs.ts"
import { useLoad } from "../use-load.ts"
import { CopyButton } from "./Button.tsx"
import { Choice, Select } from "./Field.tsx"

const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 }

/** Of who comes with Windows, most want PowerShell. */
const usualShell = (): Shell => (/\bWindows\b/.test(navigator.userAgent) ? "powershell" : "sh")

export const Connect = ({ apiKey = sampleKey }: { readonly apiKey?: string }) => {
  const [chosen, setChosen] = useState(0)
  const [model, setModel] = useState("")
  const [shell, setShell] = useState(usualShell)
  const id = useId()
  const shown = snippets[chosen] ?? snippets[0]!
  const code = shown.code({
    baseUrl: session.value?.base_url ?? location.origin,
    key: apiKey,
    model: model || usualModel(shown.id),
    shell
  })
  return (
    <div>
      <Clients id={id} chosen={chosen} onChoose={setChosen} />
      <div class="mt-3 flex flex-wrap items-center gap-2">
        <ModelChoice shown={shown} model={model} onChoose={setModel} />
        {shown.isShell && (
          <Choice
            label={docsText().shell}
            value={shell}
            options={[
              ["sh", "macOS, Linux"],
              ["powershell", "PowerShell"]
            ]}
            onChoose={setShell}
          />
        )}
      </div>
      <div
        id={`${id}-panel`}
        role="tabpanel"
        {...(chosen < popular ? { "aria-labelledby": `${id}-${shown.id}` } : { "aria-label": shown.name })}
        class="relative mt-3"
      >
        <pre tabIndex={0} class="overflow-x-auto rounded-xl bg-sunken p-4 pr-14 font-mono leading-6">
          <code>{code}</code>
        </pre>
        <div class="absolute top-2 right-2 rounded-lg bg-sunken">
          <CopyButton value={code} label={text().common.copyThis(shown.name)} />
        </div>
      </div>
    </div>
  )
}

/** With a key that is none, for pages on which there is no other. */
export const SampleConnect = () => <Connect />

interface ClientsProperties {
  readonly id: string
  readonly chosen: number
  readonly onChoose: (index: number) => void
}

const Clients = ({ chosen, id, onChoose }: ClientsProperties) => {
  const tabs = useRef<HTMLDivElement>(null)
  const words = docsText()
  const move = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = (chosen + step + popular) % popular
    onChoose(next)
    tabs.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus()
  }
  return (
    <div class="flex flex-wrap items-center gap-x-3 border-b border-line">
      <div
        ref={tabs}
        role="tablist"
        aria-label={text().overview.connect}
        class="flex gap-1 overflow-x-auto px-1"
        onKeyDown={move}
      >
        {snippets.slice(0, popular).map((snippet, index) => (
          <button
            key={snippet.id}
            type="button"
            role="tab"
            id={`${id}-${snippet.id}`}
            aria-selected={index === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={index === (chosen < popular ? chosen : 0) ? 0 : -1}
            onClick={() => onChoose(index)}
            class="-mb-px border-b-2 border-transparent px-3 py-2 text-sm font-medium whitespace-nowrap text-soft transition-colors hover:text-ink aria-selected:border-accent aria-selected:text-ink"
          >
            {snippet.name}
          </button>
        ))}
      </div>
      <Select
        label={words.otherClients}
        class="my-1 w-auto max-w-[min(13rem,100%)]"
        value={chosen < popular ? "" : String(chosen)}
        options={[
          ["", words.otherClients],
          ...snippets.slice(popular).map(({ name }, index) => [String(index + popular), name] as const)
        ]}
        onText={(text) => onChoose(text === "" ? 0 : Number(text))}
      />
    </div>
  )
}

interface ModelChoiceProperties {
  readonly shown: Snippet
  /** Empty where nobody has chosen. */
  readonly model: string
  readonly onChoose: (model: string) => void
}

/** Asked for once, however many places choose from it; again where it did not come. */
let listed: ReturnType<typeof askForModels> | undefined
const askForModels = () => get("/models")
const listModels = () => {
  listed ??= askForModels()
  listed.catch(() => (listed = undefined))
  return listed
}

/** Until the list has come, and where it does not come, the usual model is all there is. */
export const ModelChoice = ({ model, onChoose, shown }: ModelChoiceProperties) => {
  const list = useLoad(listModels, [])
  const usual = usualModel(shown.id)
  const ids = list.data?.models.filter(({ kind }) => kind === "chat").map(({ id }) => id) ?? []
  return (
    <Select
      label={docsText().model}
      class="w-auto max-w-full"
      value={model || usual}
      options={[...new Set([usual, ...ids])].map((id) => [id, id] as const)}
      onText={onChoose}
    />
  )
}
