/** What providers are paid, and the rates of currencies, with all that was ever entered. */
import { useState } from "preact/hooks"
import { get } from "../api.ts"
import { Button, ButtonLink } from "../components/Button.tsx"
import { Card, Empty, Page, Show } from "../components/Layout.tsx"
import { PagedList } from "../components/PagedList.tsx"
import { right, Table } from "../components/Table.tsx"
import { dateTime, decimal, namedDay } from "../language.ts"
import { marginText } from "../text/margin.ts"
import { useLoad } from "../use-load.ts"
import { usePages } from "../use-pages.ts"
import type { PurchasePrice } from "./answers.ts"
import { PurchasePriceDialog } from "./PurchasePriceDialog.tsx"
import { RateDialog } from "./RateDialog.tsx"

export const PurchasePrices = () => {
  const [isAsked, setAsked] = useState(false)
  const [turn, setTurn] = useState(0)
  const list = usePages(
    async (before) => {
      const { next, prices } = await get("/operator/purchase-prices", { before })
      return { items: prices, next }
    },
    [turn]
  )
  const words = marginText().purchase
  return (
    <Page
      title={words.title}
      intro={words.intro}
      actions={
        <>
          <ButtonLink to="/operator/margin">{words.back}</ButtonLink>
          <Button look="primary" icon="plus" onClick={() => setAsked(true)}>
            {words.add}
          </Button>
        </>
      }
    >
      <div class="space-y-6">
        <div class="card">
          <PagedList of={list} empty={<Empty icon="tag" title={words.none} hint={words.noneHint} />}>
            {(prices) => <PriceTable prices={prices} />}
          </PagedList>
        </div>
        <Rates />
      </div>
      {isAsked && (
        <PurchasePriceDialog
          onClose={() => {
            setAsked(false)
            setTurn(turn + 1)
          }}
        />
      )}
    </Page>
  )
}

const PriceTable = ({ prices }: { readonly prices: ReadonlyArray<PurchasePrice> }) => {
  const words = marginText().purchase
  return (
    <Table head={[words.model, words.route, words.prices, words.from, words.by]}>
      {prices.map((price) => (
        <tr key={price.id}>
          <td class="lead font-medium wrap-anywhere whitespace-normal">{price.model}</td>
          <td data-label={words.route} class="text-soft">
            {price.route === "*" ? words.everyRoute : price.route}
          </td>
          <td data-label={words.prices} class="number text-sm wrap-anywhere whitespace-normal">
            {pricesOf(price).join(" · ")}
          </td>
          <td data-label={words.from} class="number whitespace-nowrap">
            <span class="inline-flex items-center gap-2">
              {namedDay(price.from)}
              {price.in_force && <span class="badge badge-good">{words.inForce}</span>}
            </span>
          </td>
          <td data-label={words.by} class="text-xs wrap-anywhere whitespace-normal text-soft">
            {price.made_by} · {dateTime(price.made_at)}
          </td>
        </tr>
      ))}
    </Table>
  )
}

const pricesOf = (price: PurchasePrice): ReadonlyArray<string> => {
  const words = marginText().purchase
  const told: ReadonlyArray<readonly [string, string | null]> = [
    [words.shortInput, price.input],
    [words.shortOutput, price.output],
    [words.shortRead, price.cache_read],
    [words.shortWrite, price.cache_write],
    [words.shortRequest, price.per_request],
    ...Object.entries(price.tools)
  ]
  const set = told.flatMap(([name, value]) =>
    value === null || value === "0" ? [] : [[name, value] as const]
  )
  return [price.currency, ...set.map(([name, value]) => `${name} ${decimal(value)}`)]
}

const Rates = () => {
  const [isAsked, setAsked] = useState(false)
  const list = useLoad(() => get("/operator/exchange-rates"), [])
  const words = marginText().purchase
  return (
    <Card
      flush
      title={words.rates}
      aside={
        <Button small icon="plus" onClick={() => setAsked(true)}>
          {words.addRate}
        </Button>
      }
    >
      <Show of={list}>
        {({ rates }) =>
          rates.length === 0 ? (
            <p class="px-5 pb-5 text-sm text-soft">{words.noRates}</p>
          ) : (
            <Table head={[words.currency, right(words.rate), words.from, words.by]}>
              {rates.map((rate) => (
                <tr key={rate.id}>
                  <td class="lead font-medium">{rate.currency}</td>
                  <td data-label={words.rate} class="number right">
                    {decimal(rate.vnd)}
                  </td>
                  <td data-label={words.from} class="number whitespace-nowrap">
                    {namedDay(rate.from)}
                  </td>
                  <td data-label={words.by} class="text-xs wrap-anywhere whitespace-normal text-soft">
                    {rate.made_by} · {dateTime(rate.made_at)}
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Show>
      {isAsked && (
        <RateDialog
          onClose={() => {
            setAsked(false)
            list.reload()
          }}
        />
      )}
    </Card>
  )
}
