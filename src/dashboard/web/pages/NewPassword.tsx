/** Getting a new password: asking for the link, and what it leads to. */
import { useState } from "preact/hooks"
import { postAuth } from "../api.ts"
import { toast } from "../components/Toasts.tsx"
import { text } from "../language.ts"
import { navigate } from "../router.ts"
import { loadSession, session } from "../session.ts"
import { newPasswordText } from "../text/new-password.ts"
import { useLinkToken } from "../use-link-token.ts"
import { Aside, AuthForm, AuthFrame } from "./SignIn.tsx"

export const Forgot = () => {
  const [sent, setSent] = useState(false)
  const { auth } = text()
  const words = newPasswordText()
  return (
    <AuthFrame title={words.forgotTitle} intro={words.forgotIntro}>
      {sent ? (
        <p role="status" class="rounded-lg bg-accent-soft px-4 py-3 text-accent-ink">
          {session.value?.sends_mail ? words.forgotMailed : words.forgotAsked}
        </p>
      ) : (
        <AuthForm
          fields={["email"]}
          submit={words.forgotSend}
          onSubmit={async ({ email }) => {
            await postAuth("request-password-reset", { email: email.trim() })
            setSent(true)
          }}
        />
      )}
      <Aside to="/signin" answer={auth.back} />
    </AuthFrame>
  )
}

export const Reset = () => {
  const { auth } = text()
  const words = newPasswordText()
  const token = useLinkToken()
  return (
    <AuthFrame title={words.resetTitle} intro={words.resetIntro}>
      <AuthForm
        fields={["password"]}
        isNew
        submit={words.resetSave}
        onSubmit={async ({ password }) => {
          await postAuth("reset-password", { newPassword: password, token })
          await loadSession()
          toast(words.resetDone)
          navigate("/signin")
        }}
      />
      <Aside to="/signin" answer={auth.back} />
    </AuthFrame>
  )
}
