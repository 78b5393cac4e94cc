/** Loads what a component shows; while it loads anew, the former answer stays. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks"
import { whenSeen } from "./when-seen.ts"

export interface Loaded<A> {
  readonly data: A | undefined
  readonly error: unknown
  readonly isLoading: boolean
  readonly reload: () => void
}

export const useLoad = <A>(load: () => Promise<A>, inputs: ReadonlyArray<unknown>): Loaded<A> => {
  const [state, setState] = useState<Omit<Loaded<A>, "reload">>({
    data: undefined,
    error: undefined,
    isLoading: true
  })
  const turn = useRef(0)
  const answered = useRef<() => Promise<A>>(undefined)
  const reload = useCallback(() => {
    const mine = ++turn.current
    setState((former) => ({ ...former, isLoading: true }))
    load().then(
      // An answer that comes after a newer question is of no use.
      (data) => {
        if (mine !== turn.current) return
        answered.current = load
        setState({ data, error: undefined, isLoading: false })
      },
      (error: unknown) => {
        if (mine !== turn.current) return
        // The answer to another question must not pass for the answer to this one.
        const isSame = answered.current === load
        setState(({ data }) => ({ data: isSame ? data : undefined, error, isLoading: false }))
      }
    )
  }, inputs)
  useEffect(() => {
    reload()
    return () => {
      turn.current += 1
    }
  }, [reload])
  return { ...state, reload }
}

/** Loads anew when the person comes back to this tab. */
export const useReturn = (reload: () => unknown): void => useEffect(() => whenSeen(reload), [reload])

/** Loads anew every so often while the page is seen, and when the person comes back to it. */
export const useRefresh = (reload: () => unknown, everyMs: number): void => {
  useReturn(reload)
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") reload()
    }, everyMs)
    return () => clearInterval(timer)
  }, [reload])
}
