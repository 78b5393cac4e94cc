/** Does at once what a button says: once at a time, and a note says why it could not be done. */
import { useRef, useState } from "preact/hooks"
import { tellFailure } from "./tell-failure.ts"

interface Action {
  readonly start: () => void
  readonly isBusy: boolean
}

export const useAction = (act: () => Promise<unknown>): Action => {
  const [isBusy, setBusy] = useState(false)
  // Known at once, also to a second press before the button is drawn anew.
  const isStarted = useRef(false)
  const start = () => {
    if (isStarted.current) return
    isStarted.current = true
    setBusy(true)
    void act()
      .catch(tellFailure)
      .finally(() => {
        isStarted.current = false
        setBusy(false)
      })
  }
  return { start, isBusy }
}
