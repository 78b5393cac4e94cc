/** Shows a list that comes in pages: its outline, its failure, its emptiness, or its items and the way to more. */
import type { ComponentChildren } from "preact"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import { keepFocus } from "../focus-heading.ts"
import { keepPlace } from "../keep-place.ts"
import { text } from "../language.ts"
import type { Pages } from "../use-pages.ts"
import { Button } from "./Button.tsx"
import { Failure, Skeleton } from "./Layout.tsx"

keepPlace()

export const PagedList = <A,>(properties: {
  readonly of: Pages<A>
  readonly empty: ComponentChildren
  readonly children: (items: ReadonlyArray<A>) => ComponentChildren
}) => {
  const { again, failure, isLoading, items, more, next } = properties.of
  const place = useRef<HTMLDivElement>(null)
  const asked = useRef<number>(undefined)
  const rows = () => place.current?.querySelectorAll<HTMLElement>("tbody > tr, ul > li") ?? []
  const ask = () => {
    asked.current = rows().length
    more()
  }
  // With the last page the button goes that had the focus: what is new takes it.
  useLayoutEffect(() => {
    const first = asked.current === undefined ? undefined : rows()[asked.current]
    asked.current = undefined
    if (first === undefined || document.activeElement !== document.body) return
    first.tabIndex = -1
    first.focus({ preventScroll: true })
  }, [items.length])
  useEffect(() => (failure === undefined ? undefined : keepFocus), [failure])
  if (items.length === 0) {
    if (failure !== undefined) return <Failure error={failure} retry={again} />
    return isLoading ? <Skeleton rows={5} /> : <>{properties.empty}</>
  }
  return (
    <>
      <div ref={place} aria-busy={isLoading} class="transition-opacity delay-150 aria-busy:opacity-60">
        {properties.children(items)}
      </div>
      {failure !== undefined && <Failure error={failure} retry={more} />}
      {failure === undefined && next !== null && (
        <div class="border-t border-line p-3 text-center">
          <Button look="quiet" small disabled={isLoading} onClick={ask}>
            {text().common.more}
          </Button>
        </div>
      )}
    </>
  )
}
