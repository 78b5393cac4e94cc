/** Addresses below /dashboard, and moving between them without loading the page anew. */
import { signal } from "@preact/signals"

const base = "/dashboard"

const read = () => location.pathname.slice(base.length).replace(/\/+$/, "") || "/"

/** The address without /dashboard: `/keys`. */
export const path = signal(read())

/** Counts the pages that were gone to, so that another address of the same page shows it anew. */
export const visit = signal(0)

const here = () => location.pathname + location.search
let shown = here()

addEventListener("popstate", () => {
  // A jump within the page is none to another.
  if (here() !== shown) arrive()
})

const arrive = () => {
  shown = here()
  path.value = read()
  visit.value += 1
}

export const hrefOf = (to: string): string => `${base}${to}`

export const navigate = (to: string, how: "push" | "replace" = "push"): void => {
  history[how === "push" ? "pushState" : "replaceState"](null, "", hrefOf(to))
  arrive()
  scrollTo(0, 0)
}

/** Notes in the address what the page shows, without going anywhere. */
export const noteQuery = (query: Readonly<Record<string, string>>): void => {
  const search = new URLSearchParams(query).toString()
  history.replaceState(null, "", search === "" ? location.pathname : `?${search}`)
  shown = here()
}
