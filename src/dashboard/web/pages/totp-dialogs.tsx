/** Setting up an authenticator app, new recovery codes, and doing without. */
import { useState } from "preact/hooks"
import { isCode, readCode } from "../../../domain/second-factor-codes.ts"
import { post, postAuth } from "../api.ts"
import { Button, CopyButton } from "../components/Button.tsx"
import { CodeField } from "../components/CodeField.tsx"
import { ConfirmEnd } from "../components/ConfirmEnd.tsx"
import { Dialog, DialogActions } from "../components/Dialog.tsx"
import { FormActions } from "../components/FormActions.tsx"
import { Form } from "../components/Form.tsx"
import { PasswordField } from "../components/PasswordField.tsx"
import { QrCode } from "../components/QrCode.tsx"
import { SecretText } from "../components/SecretText.tsx"
import { toast } from "../components/Toasts.tsx"
import { text } from "../language.ts"
import { loadSession, session } from "../session.ts"
import { securityText } from "../text/security.ts"
import { useSubmit } from "../use-submit.ts"

interface Begun {
  readonly totpURI: string
  readonly backupCodes: ReadonlyArray<string>
}

interface Closing {
  readonly onClose: () => void
}

/** The codes are shown only once the app has shown that it has the secret. */
export const SetUpTotp = ({ onClose }: Closing) => {
  const [begun, setBegun] = useState<Begun>()
  const [isDone, setDone] = useState(false)
  const words = securityText()
  const finish = () => {
    // It may have been set up elsewhere, too.
    void loadSession()
    onClose()
  }
  return (
    <Dialog title={isDone ? words.codesTitle : words.setUp} onClose={finish}>
      {begun === undefined ? (
        <AskPassword
          action={words.next}
          onClose={onClose}
          send={async (body) => {
            setBegun(await postAuth<Begun>("two-factor/enable", body))
          }}
        />
      ) : isDone ? (
        <Codes codes={begun.backupCodes} onClose={finish} />
      ) : (
        <FirstCode of={begun} onClose={finish} onDone={() => setDone(true)} />
      )}
    </Dialog>
  )
}

export const NewCodes = ({ onClose }: Closing) => {
  const [codes, setCodes] = useState<ReadonlyArray<string>>()
  const words = securityText()
  return (
    <Dialog title={words.codesTitle} onClose={onClose}>
      {codes === undefined ? (
        <>
          <p class="mb-4 text-sm text-soft">{words.newCodesHint}</p>
          <AskPassword
            action={words.newCodes}
            onClose={onClose}
            send={async (body) => {
              setCodes((await postAuth<Begun>("two-factor/generate-backup-codes", body)).backupCodes)
            }}
          />
        </>
      ) : (
        <Codes codes={codes} onClose={onClose} />
      )}
    </Dialog>
  )
}

export const RemoveTotp = ({ onClose }: Closing) => {
  const words = securityText()
  return (
    <ConfirmEnd
      title={words.removeTotp}
      hint={words.removeTotpHint}
      action={words.turnOff}
      done={words.turnedOff}
      end={async () => {
        await post("/person/totp/remove", {})
        await loadSession()
      }}
      onClose={onClose}
    />
  )
}

interface AskPasswordProperties extends Closing {
  readonly action: string
  readonly send: (body: { readonly password?: string }) => Promise<void>
}

/** The password is asked for where there is one, whatever else is. */
const AskPassword = ({ action, onClose, send }: AskPasswordProperties) => {
  const [password, setPassword] = useState("")
  const { auth } = text()
  const needs = session.value?.person?.has_password === true
  const form = useSubmit(password !== "" || !needs, () => send(needs ? { password } : {}))
  return (
    <Form of={form} class="space-y-5">
      {needs && (
        <PasswordField
          label={auth.currentPassword}
          autoFocus
          value={password}
          isTried={form.isTried}
          onText={setPassword}
        />
      )}
      <FormActions form={form} action={action} onCancel={onClose} />
    </Form>
  )
}

const FirstCode = ({
  of,
  onClose,
  onDone
}: Closing & { readonly of: Begun; readonly onDone: () => void }) => {
  const [code, setCode] = useState("")
  const words = securityText()
  const secret = new URL(of.totpURI).searchParams.get("secret") ?? ""
  const form = useSubmit(isCode(code), async () => {
    await postAuth("two-factor/verify-totp", { code: readCode(code), secret })
    toast(words.turnedOn)
    onDone()
  })
  return (
    <div class="space-y-5">
      <p class="text-sm text-soft">{words.scan}</p>
      <div class="mx-auto w-44">
        <QrCode value={of.totpURI} label={words.qr} />
      </div>
      <details>
        <summary class="mb-3 w-fit rounded text-sm text-soft hover:text-ink">{words.byHand}</summary>
        <SecretText value={secret} label={words.secret} />
      </details>
      <Form of={form} class="space-y-5">
        <CodeField isFirst value={code} isTried={form.isTried} onText={setCode} />
        <FormActions form={form} action={words.turnOn} onCancel={onClose} />
      </Form>
    </div>
  )
}

const Codes = ({ codes, onClose }: Closing & { readonly codes: ReadonlyArray<string> }) => {
  const words = securityText()
  return (
    <>
      <p class="mb-4 text-sm text-soft">{words.codesHint}</p>
      <ul
        class="grid grid-cols-2 gap-x-6 gap-y-1.5 rounded-xl border border-line bg-sunken px-5 py-4 font-mono text-sm"
        data-testid="codes"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <DialogActions>
        <CopyButton withText value={codes.join("\n")} label={text().common.copyThis(words.codes)} />
        <Button look="primary" onClick={onClose}>
          {words.kept}
        </Button>
      </DialogActions>
    </>
  )
}
