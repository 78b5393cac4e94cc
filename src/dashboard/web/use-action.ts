/** Does at once what a button says: once at a time, and a note says why it could not be done. */
import { useState } from "preact/hooks"
import { tellFailure } from "./tell-failure.ts"

interface Action {
  readonly start: () => void
  readonly isBusy: boolean
}

export const useAction = (act: () => Promise<unknown>): Action => {
  const [isBusy, setBusy] = useState(false)
  const start = () => {
    setBusy(true)
    void act()
      .catch(tellFailure)
      .finally(() => setBusy(false))
  }
  return { start, isBusy }
}
