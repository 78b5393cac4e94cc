/** Asks for a look into the mailbox, as long as nobody has shown whose the address is. */
import { post } from "../api.ts"
import { session } from "../session.ts"
import { accountText } from "../text/account.ts"
import { useAction } from "../use-action.ts"
import { Button } from "./Button.tsx"
import { Icon } from "./Icon.tsx"
import { toast } from "./Toasts.tsx"

export const VerifyNote = () => {
  const words = accountText()
  const send = useAction(async () => {
    await post("/person/verify-email", {})
    toast(words.verifySent)
  })
  return (
    <div class="flex flex-wrap items-center justify-center gap-x-3 gap-y-1 bg-warn-soft px-4 py-1.5 text-center text-[0.8125rem] text-warn print:hidden!">
      <span class="flex items-center gap-2">
        <Icon name="info" size={16} />
        <span class="wrap-anywhere">{words.verifyNote(session.value?.person?.email ?? "")}</span>
      </span>
      <Button small look="quiet" disabled={send.isBusy} onClick={send.start}>
        {words.verifyAgain}
      </Button>
    </div>
  )
}
