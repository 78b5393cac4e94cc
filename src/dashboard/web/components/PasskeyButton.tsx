/** Shows who it is by a passkey. */
import { usePasskey } from "../passkeys.ts"
import { securityText } from "../text/security.ts"
import { useSubmit } from "../use-submit.ts"
import { Button } from "./Button.tsx"
import { Form } from "./Form.tsx"

interface PasskeyButtonProperties {
  readonly label?: string
  /** What it fails with is shown, too. */
  readonly onDone: () => Promise<void> | void
}

export const PasskeyButton = ({ label, onDone }: PasskeyButtonProperties) => {
  const form = useSubmit(true, async () => {
    await usePasskey()
    await onDone()
  })
  return (
    <Form of={form} class="space-y-3">
      <Button type="submit" icon="key" class="w-full" disabled={form.isBusy}>
        {label ?? securityText().usePasskey}
      </Button>
    </Form>
  )
}
