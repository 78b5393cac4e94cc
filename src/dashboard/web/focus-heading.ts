/** Where the keyboard's focus goes that would be lost: to the heading of the page. */
import { useEffect } from "preact/hooks"

export const focusHeading = (): void => document.querySelector("h1")?.focus({ preventScroll: true })

/** If what had the focus has given way. */
export const keepFocus = (): void => {
  if (document.activeElement === document.body) focusHeading()
}

/** After each change of `state`, with which what had the focus may have given way. */
export const useFocusKept = (state: unknown): void => useEffect(keepFocus, [state])
