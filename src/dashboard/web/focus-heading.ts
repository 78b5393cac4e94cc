/** Where the keyboard's focus goes that would be lost: to the heading of the page. */
import { useEffect } from "preact/hooks"

export const focusHeading = (): void => document.querySelector("h1")?.focus({ preventScroll: true })

/** After each change of `state`, if what had the focus has given way with it. */
export const useFocusKept = (state: unknown): void =>
  useEffect(() => {
    if (document.activeElement === document.body) focusHeading()
  }, [state])
