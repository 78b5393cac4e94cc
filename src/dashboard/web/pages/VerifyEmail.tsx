/** Where a link leads that was mailed to show whose an address is. */
import { useState } from "preact/hooks"
import { postAuth } from "../api.ts"
import { Button, ButtonLink } from "../components/Button.tsx"
import { Form } from "../components/Form.tsx"
import { Page } from "../components/Layout.tsx"
import { loadSession } from "../session.ts"
import { accountText } from "../text/account.ts"
import { useLinkToken } from "../use-link-token.ts"
import { useSubmit } from "../use-submit.ts"

/** Asks for a click: programs that look through mail open links, too. */
export const VerifyEmail = () => {
  const [isDone, setDone] = useState(false)
  const words = accountText()
  const token = useLinkToken()
  const form = useSubmit(true, async () => {
    await postAuth("verify-email", { token })
    setDone(true)
    await loadSession()
  })
  return (
    <Page title={words.verifyTitle} intro={isDone ? undefined : words.verifyIntro}>
      {isDone ? (
        <div class="space-y-4">
          <p role="status" class="w-fit rounded-lg bg-accent-soft px-4 py-3 text-accent-ink">
            {words.verified}
          </p>
          <ButtonLink to="/">{words.verifiedOn}</ButtonLink>
        </div>
      ) : (
        <Form of={form} class="space-y-4">
          <Button type="submit" look="primary" disabled={form.isBusy}>
            {words.verify}
          </Button>
        </Form>
      )}
    </Page>
  )
}
