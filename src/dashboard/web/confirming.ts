/** Whether a person is being asked for their second factor, and what waits for it. */
import { signal } from "@preact/signals"
import { whenConfirmNeeded } from "./api.ts"

interface Asked {
  readonly done: () => void
  readonly cancel: () => void
}

/** Asked for while it is set. */
export const confirming = signal<Asked | undefined>(undefined)

let asked: Promise<boolean> | undefined

/** Several that wait are answered by one answer. */
whenConfirmNeeded(() => {
  asked ??= new Promise<boolean>((resolve) => {
    confirming.value = { done: () => resolve(true), cancel: () => resolve(false) }
  }).finally(() => {
    confirming.value = undefined
    asked = undefined
  })
  return asked
})
