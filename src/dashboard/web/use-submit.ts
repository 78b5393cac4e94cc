/** Sends a form: once at a time, only when it is whole, and keeps what went wrong. */
import { useRef, useState } from "preact/hooks"
import { ApiError } from "./api.ts"
import { noteSent } from "./typed-forms.ts"

/** Takes the person to the first field that keeps the form from being sent, once it is marked. */
const focusProblem = (form: EventTarget | null): void => {
  if (!(form instanceof HTMLElement)) return
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
}

/** A date of which a part is typed, or that is no day, has no value: it would be sent as if there were none. */
const unfinishedDate = (form: EventTarget | null): HTMLInputElement | undefined => {
  if (!(form instanceof HTMLFormElement)) return undefined
  const dates = [...form.querySelectorAll<HTMLInputElement>("input[type^=date]")]
  return dates.find(({ validity }) => validity.badInput || validity.rangeOverflow)
}

export interface Submission {
  readonly submit: (event: Event) => void
  /** Sending was tried, so that what is missing may be pointed out. */
  readonly isTried: boolean
  readonly isBusy: boolean
  readonly failure: unknown
}

/** `whole` is what the form says, once it says all. */
export const useSubmit = <Whole>(
  whole: Whole | false | undefined,
  send: (whole: Whole) => Promise<void>
): Submission => {
  const [isTried, setTried] = useState(false)
  const [isBusy, setBusy] = useState(false)
  // Known at once, also to a second try before the form is drawn anew.
  const isSending = useRef(false)
  const [failure, setFailure] = useState<unknown>()
  const submit = (event: Event) => {
    event.preventDefault()
    setTried(true)
    const isWhole = whole !== undefined && whole !== false
    const form = event.currentTarget
    const unfinished = unfinishedDate(form)
    if (unfinished !== undefined) {
      setFailure(new ApiError(400, "unfinished_date"))
      return unfinished.focus()
    }
    if (!isWhole) focusProblem(form)
    if (!isWhole || isSending.current) return
    isSending.current = true
    setBusy(true)
    setFailure(undefined)
    send(whole)
      .then(() => noteSent(form), setFailure)
      .finally(() => {
        isSending.current = false
        setBusy(false)
        focusProblem(form)
      })
  }
  return { submit, isTried, isBusy, failure }
}
