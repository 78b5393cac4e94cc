/** What each model is sold at, and changing that. */
import { useMemo, useState } from "preact/hooks"
import { get } from "../api.ts"
import { Button } from "../components/Button.tsx"
import { SearchField } from "../components/Field.tsx"
import { Empty, Page, Show } from "../components/Layout.tsx"
import { actionsColumn, right, Table } from "../components/Table.tsx"
import { dateTime, money, text } from "../language.ts"
import { may } from "../may.ts"
import { unitOf } from "../unit-of.ts"
import { operatorText } from "../text/operator.ts"
import { useLoad } from "../use-load.ts"
import { marginText } from "../text/margin.ts"
import { BulkPriceDialog } from "./BulkPriceDialog.tsx"
import { PriceDialog } from "./PriceDialog.tsx"
import { PriceHistory } from "./PriceHistory.tsx"
import type { PricedModel } from "./answers.ts"

export const Prices = () => {
  const [search, setSearch] = useState("")
  const [onlyChanged, setOnlyChanged] = useState(false)
  const [chosen, setChosen] = useState<PricedModel>()
  const list = useLoad(() => get("/operator/models"), [])
  const models = list.data?.models
  const shown = useMemo(
    () =>
      models?.filter(
        (model) =>
          `${model.id} ${model.name} ${model.provider}`.toLowerCase().includes(search.trim().toLowerCase()) &&
          (!onlyChanged || model.override !== null)
      ) ?? [],
    [models, search, onlyChanged]
  )
  const [isBulk, setBulk] = useState(false)
  const [turn, setTurn] = useState(0)
  const again = () => {
    setTurn(turn + 1)
    list.reload()
  }
  const { prices: words } = operatorText()
  return (
    <Page
      title={words.title}
      intro={words.intro}
      actions={
        may("money") &&
        shown.length > 0 && (
          <Button icon="tag" onClick={() => setBulk(true)}>
            {marginText().bulk.open}
          </Button>
        )
      }
    >
      <Filter search={search} onSearch={setSearch} onlyChanged={onlyChanged} onOnlyChanged={setOnlyChanged} />
      <div class="card">
        <Show of={list} rows={20}>
          {() =>
            shown.length === 0 ? (
              <Empty icon="tag" title={text().models.none} />
            ) : (
              <PriceTable models={shown} onEdit={setChosen} />
            )
          }
        </Show>
      </div>
      <PriceHistory turn={turn} onCancelled={again} />
      {isBulk && (
        <BulkPriceDialog
          models={shown.map(({ id }) => id)}
          onClose={() => {
            setBulk(false)
            again()
          }}
        />
      )}
      {chosen && (
        <PriceDialog
          model={chosen}
          onClose={() => {
            setChosen(undefined)
            again()
          }}
        />
      )}
    </Page>
  )
}

const Filter = (properties: {
  readonly search: string
  readonly onSearch: (search: string) => void
  readonly onlyChanged: boolean
  readonly onOnlyChanged: (only: boolean) => void
}) => (
  <div class="mb-4 flex flex-wrap items-center gap-x-5 gap-y-3">
    <div class="min-w-64 flex-1 sm:max-w-md">
      <SearchField label={text().models.search} value={properties.search} onText={properties.onSearch} />
    </div>
    <label class="flex items-center gap-2 text-sm">
      <input
        type="checkbox"
        class="size-4"
        checked={properties.onlyChanged}
        onChange={(event) => properties.onOnlyChanged(event.currentTarget.checked)}
      />
      {operatorText().prices.only}
    </label>
  </div>
)

const PriceTable = (properties: {
  models: ReadonlyArray<PricedModel>
  onEdit: (model: PricedModel) => void
}) => {
  const { prices: words } = operatorText()
  const { models } = text()
  return (
    <Table
      head={[models.columnModel, words.provider, right(words.catalogue), right(words.now), actionsColumn()]}
    >
      {properties.models.map((model) => (
        <tr key={model.id}>
          <td class="lead font-medium break-all">{model.id}</td>
          <td data-label={words.provider} class="text-soft">
            {model.provider}
          </td>
          <td data-label={words.catalogue} class="number right text-soft">
            <span>
              {money(String(model.price_vnd))} <span class="text-xs">{unitOf(model)}</span>
            </span>
          </td>
          <td data-label={words.now} class="right">
            <SoldAt model={model} />
          </td>
          <td class="actions right">
            {may("money") && (
              <Button small look="quiet" onClick={() => properties.onEdit(model)}>
                {words.edit}
                <span class="sr-only">{model.id}</span>
              </Button>
            )}
          </td>
        </tr>
      ))}
    </Table>
  )
}

const SoldAt = ({ model }: { readonly model: PricedModel }) => (
  <span>
    <PriceNow model={model} />
    {model.next && (
      <span class="block text-xs text-soft">
        {operatorText().prices.next(
          money(String(model.next.price_vnd ?? model.price_vnd)),
          dateTime(model.next.from)
        )}
      </span>
    )}
  </span>
)

const PriceNow = ({ model }: { readonly model: PricedModel }) => {
  const { prices: words } = operatorText()
  const { override } = model
  if (override?.disabled) return <span class="badge badge-bad">{words.offBadge}</span>
  if (override === null || override.price_vnd === null)
    return <span class="number">{money(String(model.price_vnd))}</span>
  return (
    <span class="inline-flex items-center gap-2">
      <span class="badge badge-warn">{words.changedBadge}</span>
      <span class="number font-medium">{money(String(override.price_vnd))}</span>
    </span>
  )
}
