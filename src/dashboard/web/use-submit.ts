/** Sends a form: once at a time, only when it is whole, and keeps what went wrong. */
import { useState } from "preact/hooks"

/** Takes the person to the first field that keeps the form from being sent, once it is marked. */
export const focusProblem = (form: EventTarget | null): void => {
  if (!(form instanceof HTMLElement)) return
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
}

export interface Submission {
  readonly submit: (event: Event) => void
  /** Sending was tried, so that what is missing may be pointed out. */
  readonly isTried: boolean
  readonly isBusy: boolean
  readonly failure: unknown
}

export const useSubmit = (isWhole: boolean, send: () => Promise<void>): Submission => {
  const [isTried, setTried] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const submit = (event: Event) => {
    event.preventDefault()
    setTried(true)
    if (!isWhole) focusProblem(event.currentTarget)
    if (!isWhole || isBusy) return
    setBusy(true)
    setFailure(undefined)
    send()
      .catch(setFailure)
      .finally(() => setBusy(false))
  }
  return { submit, isTried, isBusy, failure }
}
