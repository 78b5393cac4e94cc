/** What models were, are and will be sold at; what does not hold yet can be cancelled. */
import { useState } from "preact/hooks"
import { get, post } from "../api.ts"
import { Button } from "../components/Button.tsx"
import { ConfirmEnd } from "../components/ConfirmEnd.tsx"
import { Card } from "../components/Layout.tsx"
import { PagedList } from "../components/PagedList.tsx"
import { right, Table } from "../components/Table.tsx"
import { dateTime, money } from "../language.ts"
import { may } from "../may.ts"
import { marginText } from "../text/margin.ts"
import { usePages } from "../use-pages.ts"
import { unitOf } from "../unit-of.ts"
import type { PriceChange } from "./answers.ts"

interface PriceHistoryProperties {
  /** Another one whenever there may be more. */
  readonly turn: number
  readonly onCancelled: () => void
}

export const PriceHistory = ({ onCancelled, turn }: PriceHistoryProperties) => {
  const [ended, setEnded] = useState<string>()
  const words = marginText().bulk
  const list = usePages(
    async (before) => {
      const { changes, next } = await get("/operator/price-changes", { before })
      return { items: changes, next }
    },
    [turn]
  )
  return (
    <Card flush title={words.history} class="mt-6">
      <PagedList of={list} empty={<p class="px-5 pb-5 text-sm text-soft">{words.none}</p>}>
        {(changes) => <HistoryTable changes={changes} onCancel={setEnded} />}
      </PagedList>
      {ended !== undefined && (
        <ConfirmEnd
          title={words.cancelTitle}
          hint={words.cancelHint}
          action={words.cancel}
          done={words.cancelled}
          end={() => post("/operator/price-changes/:id/cancel", {}, { id: ended })}
          onClose={() => {
            setEnded(undefined)
            onCancelled()
          }}
        />
      )}
    </Card>
  )
}

const looks = { waiting: "badge-warn", held: "", cancelled: "badge-bad" } as const

const HistoryTable = (properties: {
  readonly changes: ReadonlyArray<PriceChange>
  readonly onCancel: (batch: string) => void
}) => {
  const words = marginText().bulk
  const shown = (price: number | null) => (price === null ? words.catalogue : money(String(price)))
  return (
    <Table
      head={[
        marginText().purchase.model,
        right(words.price),
        words.fromShort,
        marginText().purchase.by,
        words.state
      ]}
    >
      {properties.changes.map((change) => (
        <tr key={change.id}>
          <td class="lead font-medium wrap-anywhere whitespace-normal">{change.model}</td>
          <td data-label={words.price} class="number right">
            {shown(change.former_vnd)} → {shown(change.price_vnd)}{" "}
            {change.unit && <span class="text-xs">{unitOf({ kind: "chat", unit: change.unit })}</span>}
          </td>
          <td data-label={words.fromShort} class="number whitespace-nowrap">
            {dateTime(change.from)}
          </td>
          <td data-label={marginText().purchase.by} class="text-xs wrap-anywhere whitespace-normal text-soft">
            {change.made_by}
          </td>
          <td data-label={words.state}>
            <span class="inline-flex items-center gap-2">
              <span class={`badge ${looks[change.state]}`}>{words.states[change.state]}</span>
              {change.state === "waiting" && may("money") && (
                <Button small look="quiet" onClick={() => properties.onCancel(change.batch)}>
                  {words.cancel}
                </Button>
              )}
            </span>
          </td>
        </tr>
      ))}
    </Table>
  )
}
