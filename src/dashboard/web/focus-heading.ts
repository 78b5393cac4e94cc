/** The heading of a page: it names the page, and has the keyboard's focus when it comes up and where that would be lost. */
import type { RefObject } from "preact"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"

/** Tells the page's name to the tab, and to screen readers when it comes up: a key that is pressed then goes where the page is. */
export const useHeading = (title: string): RefObject<HTMLHeadingElement | null> => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Tollgate`
  }, [title])
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return heading
}

export const focusHeading = (): void => document.querySelector("h1")?.focus({ preventScroll: true })

/** If what had the focus has given way. */
export const keepFocus = (): void => {
  if (document.activeElement === document.body) focusHeading()
}

/** After each change of `state`, with which what had the focus may have given way. */
export const useFocusKept = (state: unknown): void => useEffect(keepFocus, [state])
