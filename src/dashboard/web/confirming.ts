/** Whether a person is being asked who they are, and what waits for it. */
import { signal } from "@preact/signals"
import { whenConfirmNeeded } from "./api.ts"

interface Asked {
  readonly done: () => void
  readonly cancel: () => void
}

const makeAsking = () => {
  const asking = signal<Asked | undefined>(undefined)
  let asked: Promise<boolean> | undefined
  /** Several that wait are answered by one answer. */
  const ask = () =>
    (asked ??= new Promise<boolean>((resolve) => {
      asking.value = { done: () => resolve(true), cancel: () => resolve(false) }
    }).finally(() => {
      asking.value = undefined
      asked = undefined
    }))
  return { asking, ask }
}

const again = makeAsking()
/** A sign-in by whom the page is shown to is asked for while it is set. */
export const signingIn = again.asking
export const signInAgain = again.ask

const factor = makeAsking()
/** Their second factor is asked for while it is set. */
export const confirming = factor.asking
whenConfirmNeeded(factor.ask)
