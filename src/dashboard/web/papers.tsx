/** Usage, statement and keys of whom a page is about: of oneself, or of a customer whom an operator helps. */
import { type ComponentProps, createContext } from "preact"
import { useContext, useMemo } from "preact/hooks"
import { get } from "./api.ts"
import { Page } from "./components/Layout.tsx"
import type { Query } from "./endpoints.ts"

/** The customer's account; `undefined`: one's own. */
export const Customer = createContext<string | undefined>(undefined)

const own = {
  usage: (query: Query<"/usage">) => get("/usage", query),
  calls: (query: Query<"/calls">) => get("/calls", query),
  statement: (query: Query<"/statement">) => get("/statement", query),
  keys: () => get("/keys"),
  /** Where the calls of a day and a model are looked at. */
  usageAt: (query: Readonly<Record<string, string>>) => `/usage?${new URLSearchParams(query)}`
}

type Papers = Omit<typeof own, "keys"> & {
  readonly keys: () => Promise<Pick<Awaited<ReturnType<typeof own.keys>>, "keys">>
}

const papersOf = (id: string): Papers => ({
  usage: (query) => get("/operator/accounts/:id/usage", query, { id }),
  calls: (query) => get("/operator/accounts/:id/calls", query, { id }),
  statement: (query) => get("/operator/accounts/:id/statement", query, { id }),
  keys: () => get("/operator/accounts/:id/keys", {}, { id }),
  usageAt: (query) => `/operator/account?${new URLSearchParams({ id, view: "usage", ...query })}`
})

export const usePapers = (): Papers => {
  const id = useContext(Customer)
  return useMemo(() => (id === undefined ? own : papersOf(id)), [id])
}

/** Whether the page is about oneself: only of oneself are files and papers made. */
export const useIsOwn = (): boolean => useContext(Customer) === undefined

/** A page of its own, or a part of a customer's page. */
export const PaperPage = (properties: ComponentProps<typeof Page>) =>
  useIsOwn() ? <Page {...properties} /> : <>{properties.children}</>

/** Of the address of a customer's page, which must stay as filters change. */
export const placeInAddress = { id: "", view: "" }
