/** Second factors: on the page of one's own account, and before an operator's pages. */
import { useState } from "preact/hooks"
import { Button } from "../components/Button.tsx"
import { Card, Page } from "../components/Layout.tsx"
import { hasPasskeys } from "../passkeys.ts"
import { session } from "../session.ts"
import { securityText } from "../text/security.ts"
import { Passkeys } from "./passkey-dialogs.tsx"
import { SignInsElsewhere } from "./sign-ins.tsx"
import { NewCodes, RemoveTotp, SetUpTotp } from "./totp-dialogs.tsx"

type Open = "set up" | "codes" | "remove"

export const SecondFactors = () => {
  const [open, setOpen] = useState<Open>()
  const person = session.value?.person
  const words = securityText()
  if (person === undefined) return null
  const close = () => setOpen(undefined)
  return (
    <Card title={words.title}>
      <div class="-mt-1 space-y-4">
        <div class="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <p class="flex items-center gap-2 text-sm font-medium">
            {words.app}
            {person.has_totp && <span class="badge badge-good">{words.on}</span>}
          </p>
          <div class="flex flex-wrap gap-2">
            {person.has_totp ? (
              <>
                <Button small onClick={() => setOpen("codes")}>
                  {words.newCodes}
                </Button>
                <Button small look="danger" onClick={() => setOpen("remove")}>
                  {words.turnOff}
                </Button>
              </>
            ) : (
              <Button small look="primary" onClick={() => setOpen("set up")}>
                {words.setUp}
              </Button>
            )}
          </div>
        </div>
        <p class="text-sm text-soft">{words.appHint}</p>
        {(hasPasskeys() || person.has_passkey) && <Passkeys />}
        <SignInsElsewhere />
      </div>
      {open === "set up" && <SetUpTotp onClose={close} />}
      {open === "codes" && <NewCodes onClose={close} />}
      {open === "remove" && <RemoveTotp onClose={close} />}
    </Card>
  )
}

/** In place of an operator's page. */
export const SecondFactorFirst = () => {
  const words = securityText()
  return (
    <Page title={words.firstTitle} intro={words.firstIntro}>
      <div class="max-w-xl">
        <SecondFactors />
      </div>
    </Page>
  )
}
