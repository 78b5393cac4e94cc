/** The two ways out of a form in a dialog: leaving it as it was, and sending it. */
import { text } from "../language.ts"
import type { Submission } from "../use-submit.ts"
import { Button } from "./Button.tsx"
import { DialogActions } from "./Dialog.tsx"

interface FormActionsProperties {
  readonly form: Submission
  /** On the button that sends. */
  readonly action: string
  readonly onCancel: () => void
  /** What is sent ends something. */
  readonly isFinal?: boolean
}

export const FormActions = ({ action, form, isFinal = false, onCancel }: FormActionsProperties) => (
  <DialogActions>
    <Button onClick={onCancel}>{text().common.cancel}</Button>
    <Button type="submit" look={isFinal ? "destroy" : "primary"} disabled={form.isBusy}>
      {action}
    </Button>
  </DialogActions>
)
