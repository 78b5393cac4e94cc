/** Asks once more before something ends for good. */
import { text } from "../language.ts"
import { useSubmit } from "../use-submit.ts"
import { Button } from "./Button.tsx"
import { Dialog, DialogActions } from "./Dialog.tsx"
import { FormFailure } from "./FormFailure.tsx"
import { toast } from "./Toasts.tsx"

interface ConfirmEndProperties {
  readonly title: string
  readonly hint: string
  /** On the button. */
  readonly action: string
  /** Said once it is done. */
  readonly done: string
  readonly end: () => Promise<unknown>
  readonly onClose: () => void
}

export const ConfirmEnd = ({ action, done, end, hint, onClose, title }: ConfirmEndProperties) => {
  const form = useSubmit(true, async () => {
    await end()
    toast(done)
    onClose()
  })
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="space-y-4" onSubmit={form.submit}>
        {form.failure !== undefined && <FormFailure failure={form.failure} />}
        <p class="text-soft">{hint}</p>
        <DialogActions>
          <Button autoFocus onClick={onClose}>
            {text().common.cancel}
          </Button>
          <Button type="submit" look="destroy" disabled={form.isBusy}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
