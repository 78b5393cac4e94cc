/** Whatever a customer may be known by, and the way to their page. */
import { useState } from "preact/hooks"
import { withoutSecret } from "../../../domain/key-hint.ts"
import { searchLengthMin } from "../../../domain/field-limits.ts"
import { get } from "../api.ts"
import { Link } from "../components/Button.tsx"
import { SearchField } from "../components/Field.tsx"
import { Empty, Page, Show } from "../components/Layout.tsx"
import { dateTime, money } from "../language.ts"
import { noteQuery } from "../router.ts"
import { deskText } from "../text/desk.ts"
import { payingText } from "../text/paying.ts"
import { useLoad } from "../use-load.ts"
import type { Hit } from "./answers.ts"
import { placeOf } from "./place-of.ts"

export const Search = () => {
  const [typed, setTyped] = useState(() => new URLSearchParams(location.search).get("q") ?? "")
  const { search: words } = deskText()
  const asked = withoutSecret(typed.trim())
  const change = (next: string) => {
    setTyped(next)
    const q = withoutSecret(next.trim())
    noteQuery(q === "" ? {} : { q })
  }
  return (
    <Page title={words.title} intro={words.hint}>
      <div class="mb-4 max-w-xl">
        <SearchField label={words.label} value={typed} onText={change} />
      </div>
      <div class="card" aria-live="polite">
        {[...asked].length < searchLengthMin ? (
          <Empty icon="search" title={words.short} />
        ) : (
          <Hits of={asked} />
        )}
      </div>
    </Page>
  )
}

const Hits = ({ of: asked }: { readonly of: string }) => {
  const found = useLoad(() => get("/operator/search", { q: asked }), [asked])
  const { search: words } = deskText()
  return (
    <Show of={found}>
      {({ hits }) =>
        hits.length === 0 ? (
          <Empty icon="search" title={words.none} hint={words.noneHint} />
        ) : (
          <ul
            aria-busy={found.isLoading}
            class="divide-y divide-line transition-opacity delay-150 aria-busy:opacity-60"
          >
            {hits.map((hit) => (
              <HitLine key={`${hit.kind} ${hit.id}`} of={hit} />
            ))}
          </ul>
        )
      }
    </Show>
  )
}

const HitLine = ({ of: hit }: { readonly of: Hit }) => {
  const { search: words } = deskText()
  const owner = hit.account?.email ?? words.nobody
  return (
    <li class="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 px-5 py-3.5 text-sm">
      <span class="min-w-0">
        <span class="block text-xs text-faint">
          {words.kinds[hit.kind]} · <span class="number">{dateTime(hit.at)}</span>
          {hit.order && (
            <>
              {" "}
              · <span class="number">{money(hit.order.amount_vnd)}</span> ·{" "}
              {payingText().status[hit.order.status]}
            </>
          )}
        </span>
        <Link
          to={placeOf(hit)}
          class="font-medium wrap-anywhere underline decoration-line-strong underline-offset-4 hover:decoration-ink"
        >
          {hit.kind === "call" ? `${hit.id} · ${hit.label}` : hit.label}
        </Link>
      </span>
      {owner !== hit.label && <span class="break-all text-soft">{owner}</span>}
    </li>
  )
}
