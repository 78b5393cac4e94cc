/** Loads what a component shows; while it loads anew, the former answer stays. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks"

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
  const reload = useCallback(() => {
    const mine = ++turn.current
    setState((former) => ({ ...former, isLoading: true }))
    load().then(
      // An answer that comes after a newer question is of no use.
      (data) => mine === turn.current && setState({ data, error: undefined, isLoading: false }),
      (error: unknown) =>
        mine === turn.current && setState((former) => ({ ...former, error, isLoading: false }))
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
