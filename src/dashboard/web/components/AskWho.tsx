/** Asks a person who they are, above whatever waits for it. */
import { confirming, signingIn } from "../confirming.ts"
import { ConfirmDialog } from "./ConfirmDialog.tsx"
import { SignInAgain } from "./SignInAgain.tsx"

export const AskWho = () => (
  <>
    {signingIn.value && <SignInAgain />}
    {confirming.value && <ConfirmDialog />}
  </>
)
