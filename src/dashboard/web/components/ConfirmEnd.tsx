/** Asks once more before something ends for good. */
import type { ComponentChildren } from "preact"
import { text } from "../language.ts"
import { tellDone } from "../tell-done.ts"
import { useSubmit } from "../use-submit.ts"
import { Button } from "./Button.tsx"
import { Dialog, DialogActions } from "./Dialog.tsx"
import { Form } from "./Form.tsx"

interface ConfirmEndProperties {
  readonly title: string
  readonly hint: string
  /** On the button. */
  readonly action: string
  /** Said once it is done. */
  readonly done: string
  /** Said where it has ended by itself, or by somebody else. */
  readonly gone?: string
  readonly end: () => Promise<unknown>
  readonly onClose: () => void
  /** What else is asked. */
  readonly children?: ComponentChildren
}

export const ConfirmEnd = ({
  action,
  children,
  done,
  end,
  gone,
  hint,
  onClose,
  title
}: ConfirmEndProperties) => {
  const form = useSubmit(true, async () => {
    await tellDone(end(), done, gone)
    onClose()
  })
  return (
    <Dialog title={title} onClose={onClose}>
      <Form of={form} class="space-y-4">
        <p class="text-soft">{hint}</p>
        {children}
        <DialogActions>
          <Button autoFocus onClick={onClose}>
            {text().common.cancel}
          </Button>
          <Button type="submit" look="destroy" disabled={form.isBusy}>
            {action}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
