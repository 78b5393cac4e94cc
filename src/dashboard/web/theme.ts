/** Light, dark, or as the device says. */
import { signal } from "@preact/signals"
import { remember } from "./language.ts"

type Theme = "light" | "dark"

const prefersDark = matchMedia("(prefers-color-scheme: dark)")
const chosen = document.documentElement.dataset["theme"]

export const theme = signal<Theme>(
  chosen === "dark" || chosen === "light" ? chosen : prefersDark.matches ? "dark" : "light"
)

prefersDark.addEventListener("change", (event) => {
  if (document.documentElement.dataset["theme"] === undefined) theme.value = event.matches ? "dark" : "light"
})

export const toggleTheme = (): void => {
  theme.value = theme.value === "dark" ? "light" : "dark"
  document.documentElement.dataset["theme"] = theme.value
  remember("tollgate_theme", theme.value)
}
