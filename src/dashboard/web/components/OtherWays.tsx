/** Signing in with a passkey, or with an account elsewhere, where that is set up. */
import { useState } from "preact/hooks"
import { oauthNames, type OAuthProvider } from "../../../domain/oauth-providers.ts"
import { ApiError, postAuth } from "../api.ts"
import { hasPasskeys } from "../passkeys.ts"
import { loadSession, session } from "../session.ts"
import { securityText } from "../text/security.ts"
import { keptPage, wantedPage } from "../wanted-page.ts"
import { Button } from "./Button.tsx"
import { FormFailure } from "./Form.tsx"
import { PasskeyButton } from "./PasskeyButton.tsx"

/** What the provider, or the way back from it, refused with. */
const refusalOf = (): ApiError | undefined => {
  const code = new URLSearchParams(location.search).get("error")
  if (code === null) return undefined
  const known = ["account_not_linked", "email_not_found", "access_denied"]
  return new ApiError(400, known.includes(code) ? code : "other_way_failed")
}

export const OtherWays = () => {
  const [failure, setFailure] = useState<unknown>(refusalOf)
  const [isBusy, setBusy] = useState(false)
  const words = securityText()
  const go = (provider: OAuthProvider) => {
    setBusy(true)
    const wanted = wantedPage()
    if (wanted !== undefined) sessionStorage.setItem(keptPage, wanted)
    postAuth<{ readonly url: string }>("sign-in/social", { provider, next: "/signin" })
      .then(({ url }) => location.assign(url))
      .catch((error: unknown) => {
        setFailure(error)
        setBusy(false)
      })
  }
  const others = session.value?.sign_in_with ?? []
  if (others.length === 0 && !hasPasskeys()) return null
  return (
    <div class="mt-6 space-y-3 border-t border-line pt-6">
      {failure !== undefined && <FormFailure failure={failure} />}
      {hasPasskeys() && <PasskeyButton label={words.signInByPasskey} onDone={() => loadSession()} />}
      {others.map((provider) => (
        <Button key={provider} class="w-full" disabled={isBusy} onClick={() => go(provider)}>
          {words.signInWith(oauthNames[provider])}
        </Button>
      ))}
    </div>
  )
}
