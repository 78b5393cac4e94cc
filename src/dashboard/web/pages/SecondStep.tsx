/** The second step of signing in: of a sign-in that has just begun, or of a session that has one factor of two. */
import { useState } from "preact/hooks"
import { readCode } from "../../../domain/second-factor-codes.ts"
import { postAuth } from "../api.ts"
import { Button } from "../components/Button.tsx"
import { CodeField, postCode } from "../components/CodeField.tsx"
import { Form } from "../components/Form.tsx"
import { PasskeyButton } from "../components/PasskeyButton.tsx"
import { text } from "../language.ts"
import { hasPasskeys } from "../passkeys.ts"
import { loadSession, secondStep, session, signOut } from "../session.ts"
import { tellFailure } from "../tell-failure.ts"
import { securityText } from "../text/security.ts"
import { useSubmit } from "../use-submit.ts"
import { AuthFrame } from "./SignIn.tsx"

export const SecondStep = () => {
  const [code, setCode] = useState("")
  const isSignedIn = session.value?.person !== undefined
  const words = securityText()
  const done = async () => {
    await loadSession()
    secondStep.value = false
  }
  const form = useSubmit(code.trim() !== "", async () => {
    await (isSignedIn ? postAuth("confirm", { code: readCode(code) }) : postCode(code))
    await done()
  })
  const back = () => {
    secondStep.value = false
    if (isSignedIn) signOut().catch(tellFailure)
  }
  return (
    <AuthFrame title={words.stepTitle} intro={words.stepIntro}>
      <Form of={form} class="space-y-5">
        <CodeField value={code} isTried={form.isTried} onText={setCode} />
        <Button type="submit" look="primary" class="w-full" disabled={form.isBusy}>
          {text().auth.signIn}
        </Button>
      </Form>
      {hasPasskeys() && (
        <div class="mt-3">
          <PasskeyButton onDone={done} />
        </div>
      )}
      <p class="mt-7 text-center text-sm text-soft">{words.stepLost}</p>
      <p class="mt-3 text-center text-sm">
        <Button look="quiet" onClick={back}>
          {text().auth.back}
        </Button>
      </p>
    </AuthFrame>
  )
}
