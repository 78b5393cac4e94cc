/** Opening an account. */
import { postAuth } from "../api.ts"
import { text } from "../language.ts"
import { loadSession, session } from "../session.ts"
import { Aside, AuthForm, AuthFrame, OtherWays } from "./SignIn.tsx"

export const SignUp = () => {
  const { auth } = text()
  return (
    <AuthFrame title={auth.signUpTitle} intro={auth.signUpIntro}>
      <AuthForm
        fields={["name", "email", "password"]}
        isNew
        submit={auth.signUp}
        onSubmit={async ({ email, name, password }) => {
          await postAuth("sign-up/email", { name: name.trim(), email: email.trim(), password })
          await loadSession()
        }}
      />
      {session.value?.sign_in_with.length ? <OtherWays /> : null}
      <Aside question={auth.hasAccount} to="/signin" answer={auth.signIn} />
    </AuthFrame>
  )
}
