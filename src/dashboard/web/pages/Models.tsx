/** All models with their prices, for everyone. */
import { useMemo, useState } from "preact/hooks"
import { get } from "../api.ts"
import type { Model } from "../answers.ts"
import { Button, CopyButton } from "../components/Button.tsx"
import { SearchField, Select } from "../components/Field.tsx"
import { Empty, Page, Show } from "../components/Layout.tsx"
import { right, Table } from "../components/Table.tsx"
import { money, text } from "../language.ts"
import { unitOf } from "../unit-of.ts"
import { useLoad } from "../use-load.ts"

interface ModelFilter {
  readonly search: string
  readonly kind: string
  readonly billing: string
  readonly capability: string
}

const everything: ModelFilter = { search: "", kind: "", billing: "", capability: "" }

const matches = (model: Model, { search, kind, billing, capability }: ModelFilter): boolean => {
  const words = search.toLowerCase().split(/\s+/)
  const name = `${model.id} ${model.name} ${model.family}`.toLowerCase()
  return (
    words.every((word) => name.includes(word)) &&
    (kind === "" || model.kind === kind) &&
    (billing === "" || (billing === "aws" ? model.channel === "aws" : model.unit === billing)) &&
    (capability === "" || model.capabilities.some((one) => one === capability))
  )
}

export const Models = () => {
  const [filter, setFilter] = useState(everything)
  const list = useLoad(() => get("/models"), [])
  const models = list.data?.models
  const shown = useMemo(() => models?.filter((model) => matches(model, filter)) ?? [], [models, filter])
  const { models: words } = text()
  return (
    <Page title={words.title} intro={words.intro}>
      <ModelFilters value={filter} onChange={setFilter} />
      <Show of={list} rows={8}>
        {() => (
          <>
            <p class="mb-3 text-sm text-faint" role="status">
              {words.count(shown.length)}
            </p>
            <div class="card">
              {shown.length === 0 ? (
                <Empty
                  icon="search"
                  title={words.none}
                  hint={words.noneHint}
                  action={<Button onClick={() => setFilter(everything)}>{words.clear}</Button>}
                />
              ) : (
                <ModelTable models={shown} />
              )}
            </div>
          </>
        )}
      </Show>
    </Page>
  )
}

const ModelFilters = ({
  value,
  onChange
}: {
  value: ModelFilter
  onChange: (value: ModelFilter) => void
}) => {
  const { models: words } = text()
  const optionsOf = (names: Readonly<Record<string, string>>) =>
    Object.entries(names).map(([option, name]) => [option === "all" ? "" : option, name] as const)
  return (
    <div class="mb-5 grid gap-3 sm:grid-cols-2 lg:grid-cols-[minmax(0,2fr)_repeat(3,minmax(0,1fr))]">
      <SearchField
        label={words.search}
        value={value.search}
        onText={(search) => onChange({ ...value, search })}
      />
      <Select
        label={words.kind}
        value={value.kind}
        options={optionsOf(words.kinds)}
        onText={(kind) => onChange({ ...value, kind })}
      />
      <Select
        label={words.billing}
        value={value.billing}
        options={optionsOf(words.billings)}
        onText={(billing) => onChange({ ...value, billing })}
      />
      <Select
        label={words.capability}
        value={value.capability}
        options={optionsOf(words.capabilities)}
        onText={(capability) => onChange({ ...value, capability })}
      />
    </div>
  )
}

const ModelTable = ({ models }: { readonly models: ReadonlyArray<Model> }) => {
  const { models: words } = text()
  return (
    <Table
      head={[
        words.columnModel,
        right(words.columnPrice),
        right(words.columnContext),
        right(words.columnOutput),
        words.columnAbilities
      ]}
    >
      {models.map((model) => (
        <ModelLine key={model.id} model={model} />
      ))}
    </Table>
  )
}

/** `128K`, `1M`: as model cards have it, in every language. */
const tokens = (count: number | null) =>
  count === null
    ? text().common.none
    : count.toLocaleString("en-US", { notation: "compact", maximumFractionDigits: 1 })

const ModelLine = ({ model }: { readonly model: Model }) => {
  const { common, models: words } = text()
  return (
    <tr>
      <td class="lead">
        <span class="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <span class="font-medium">{model.name}</span>
          {model.channel === "aws" && <span class="badge">AWS</span>}
          {model.kind !== "chat" && <span class="badge badge-good">{words.kinds[model.kind]}</span>}
        </span>
        <span class="flex items-center gap-1">
          <code class="text-xs break-all text-faint">{model.id}</code>
          <CopyButton value={model.id} label={common.copyThis(`${words.modelId} ${model.id}`)} />
        </span>
      </td>
      <td data-label={words.columnPrice} class="right">
        <span class="number">
          <span class="font-medium">{money(String(model.price_vnd))}</span>{" "}
          <span class="text-xs text-faint">{unitOf(model)}</span>
        </span>
      </td>
      <td data-label={words.columnContext} class="number right">
        {tokens(model.context_window)}
      </td>
      <td data-label={words.columnOutput} class="number right">
        {tokens(model.max_output_tokens)}
      </td>
      <td data-label={words.columnAbilities}>
        <span class="text-[0.8125rem] text-soft xl:whitespace-nowrap">
          {model.capabilities.map((capability) => words.capabilities[capability]).join(" · ")}
        </span>
      </td>
    </tr>
  )
}
