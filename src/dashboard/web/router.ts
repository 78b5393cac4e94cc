/** Addresses below /dashboard, and moving between them without loading the page anew. */
import { signal } from "@preact/signals"

const base = "/dashboard"

const read = () => location.pathname.slice(base.length).replace(/\/+$/, "") || "/"

/** The address without /dashboard: `/keys`. */
export const path = signal(read())

addEventListener("popstate", () => {
  path.value = read()
})

export const hrefOf = (to: string): string => `${base}${to}`

export const navigate = (to: string, how: "push" | "replace" = "push"): void => {
  history[how === "push" ? "pushState" : "replaceState"](null, "", hrefOf(to))
  path.value = read()
  scrollTo(0, 0)
}
