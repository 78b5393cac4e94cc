/** The person's own account: name, address, password, sessions, and its end. */
import { useState } from "preact/hooks"
import { passwordLengthMin } from "../../../domain/field-limits.ts"
import { get, post, postAuth } from "../api.ts"
import type { SessionEntry, SessionList, SignedInPerson } from "../answers.ts"
import { Button, ButtonLink, CopyButton } from "../components/Button.tsx"
import { Field } from "../components/Field.tsx"
import { Form } from "../components/Form.tsx"
import { Card, Page, Show } from "../components/Layout.tsx"
import { PasswordField } from "../components/PasswordField.tsx"
import { toast } from "../components/Toasts.tsx"
import { ago, text } from "../language.ts"
import { mayOpen } from "../may.ts"
import { session } from "../session.ts"
import { accountText } from "../text/account.ts"
import { useAction } from "../use-action.ts"
import { type Loaded, useLoad } from "../use-load.ts"
import { useSubmit } from "../use-submit.ts"
import { SecondFactors } from "./Security.tsx"
import { ChangeEmail, CloseAccount, Rename } from "./account-dialogs.tsx"
import { Memberships } from "./Memberships.tsx"

export const Account = () => {
  const sessions = useLoad(() => get("/sessions"), [])
  const words = accountText()
  const hasSeveral = (session.value?.person?.accounts.length ?? 0) > 1
  return (
    <Page
      title={words.title}
      actions={
        <>
          {mayOpen("/members") && <ButtonLink to="/members">{words.members}</ButtonLink>}
          {mayOpen("/activity") && <ButtonLink to="/activity">{words.activity}</ButtonLink>}
          {mayOpen("/alerts") && <ButtonLink to="/alerts">{words.alerts}</ButtonLink>}
          <ButtonLink to="/tokens">{words.tokens}</ButtonLink>
        </>
      }
    >
      <div class="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-2">
        <div class="space-y-6">
          <Profile />
          {hasSeveral && <Memberships />}
          {session.value?.person?.has_password === false ? (
            <SetPassword of={session.value.person} />
          ) : (
            <ChangePassword onChanged={sessions.reload} />
          )}
        </div>
        <div class="space-y-6">
          <Sessions of={sessions} />
          <SecondFactors />
          <Closing />
        </div>
      </div>
    </Page>
  )
}

const Sessions = ({ of: sessions }: { readonly of: Loaded<SessionList> }) => {
  const words = accountText()
  const endOthers = useAction(async () => {
    await post("/sessions/end-others", {}).finally(sessions.reload)
    toast(words.endedOthers)
  })
  const hasOthers = sessions.data !== undefined && sessions.data.sessions.length > 1
  return (
    <Card
      title={words.sessions}
      flush
      aside={
        hasOthers && (
          <Button look="danger" small disabled={endOthers.isBusy} onClick={endOthers.start}>
            {words.endOthers}
          </Button>
        )
      }
    >
      <Show of={sessions}>
        {(data) => (
          <ul class="divide-y divide-line border-t border-line">
            {data.sessions.map((entry) => (
              <SessionLine key={entry.id} of={entry} onEnded={sessions.reload} />
            ))}
          </ul>
        )}
      </Show>
    </Card>
  )
}

const Closing = () => {
  const [isOpen, setOpen] = useState(false)
  const words = accountText()
  return (
    <Card title={words.closing}>
      <p class="-mt-1 mb-4 text-sm text-soft">{words.closingHint}</p>
      <Button look="danger" onClick={() => setOpen(true)}>
        {words.close}
      </Button>
      {isOpen && <CloseAccount onClose={() => setOpen(false)} />}
    </Card>
  )
}

const Profile = () => {
  const [isRenaming, setRenaming] = useState(false)
  const [isMoving, setMoving] = useState(false)
  const person = session.value?.person
  const words = accountText()
  const { auth, common } = text()
  if (person === undefined) return null
  return (
    <Card title={words.profile}>
      <dl class="-mt-2 divide-y divide-line text-sm">
        <div class="flex items-center justify-between gap-4 py-1.5">
          <dt class="shrink-0 text-faint">{auth.name}</dt>
          <dd class="flex min-w-0 items-center gap-1">
            <span class="min-w-0 text-right wrap-anywhere">{person.name}</span>
            <Button look="quiet" small aria-label={words.rename} onClick={() => setRenaming(true)}>
              {words.change}
            </Button>
          </dd>
        </div>
        <div class="flex items-center justify-between gap-4 py-1.5">
          <dt class="shrink-0 text-faint">{auth.email}</dt>
          <dd class="flex min-w-0 items-center gap-1">
            <span class="min-w-0 text-right wrap-anywhere">{person.email}</span>
            <Button look="quiet" small aria-label={words.changeEmail} onClick={() => setMoving(true)}>
              {words.change}
            </Button>
          </dd>
        </div>
        <div class="flex items-center justify-between gap-4 py-1.5">
          <dt class="shrink-0 text-faint">{words.id}</dt>
          <dd class="flex min-w-0 items-center gap-1">
            <code class="truncate">{person.account_id}</code>
            <CopyButton value={person.account_id} label={common.copyThis(words.id.toLowerCase())} />
          </dd>
        </div>
      </dl>
      {isRenaming && <Rename of={person} onClose={() => setRenaming(false)} />}
      {isMoving && <ChangeEmail onClose={() => setMoving(false)} />}
    </Card>
  )
}

/** For whoever has come in with an account elsewhere: by a link that goes to their address. */
const SetPassword = ({ of }: { readonly of: SignedInPerson }) => {
  const [isAsked, setAsked] = useState(false)
  const words = accountText()
  const form = useSubmit(true, async () => {
    await postAuth("request-password-reset", { email: of.email })
    setAsked(true)
  })
  return (
    <Card title={words.setPassword}>
      <Form of={form} class="-mt-1 space-y-4">
        <p class="text-sm text-soft">{words.setPasswordHint}</p>
        {isAsked ? (
          <p role="status" class="rounded-lg bg-accent-soft px-4 py-3 text-sm wrap-anywhere text-accent-ink">
            {session.value?.sends_mail ? words.setPasswordMailed(of.email) : words.setPasswordAsked}
          </p>
        ) : (
          <Button type="submit" disabled={form.isBusy}>
            {words.setPasswordSend}
          </Button>
        )}
      </Form>
    </Card>
  )
}

const ChangePassword = ({ onChanged }: { readonly onChanged: () => void }) => {
  const [current, setCurrent] = useState("")
  const [next, setNext] = useState("")
  const words = accountText()
  const { auth } = text()
  const form = useSubmit(current !== "" && next.length >= passwordLengthMin, async () => {
    await postAuth("change-password", { currentPassword: current, newPassword: next })
    setCurrent("")
    setNext("")
    toast(words.changed)
    onChanged()
  })
  const isTried = form.isTried && (current !== "" || next !== "")
  return (
    <Card title={words.changePassword}>
      <Form of={form} class="-mt-1 space-y-4">
        <PasswordField label={auth.currentPassword} value={current} isTried={isTried} onText={setCurrent} />
        <Field
          label={auth.newPassword}
          type="password"
          autoComplete="new-password"
          hint={words.changePasswordHint}
          value={next}
          problem={isTried && next.length < passwordLengthMin ? auth.shortPassword : undefined}
          onText={setNext}
        />
        <Button type="submit" look="primary" disabled={form.isBusy}>
          {words.changePassword}
        </Button>
      </Form>
    </Card>
  )
}

/** "Chrome, Windows": enough to recognise one's own device. */
const deviceOf = (userAgent: string): string => {
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)\//.exec(userAgent)?.[1]
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(userAgent)?.[1]
  const known: Readonly<Record<string, string>> = { Edg: "Edge", OPR: "Opera", "Mac OS X": "macOS" }
  const parts = [browser, system].flatMap((part) => (part === undefined ? [] : [known[part] ?? part]))
  return parts.length === 0 ? accountText().unknownDevice : parts.join(", ")
}

const SessionLine = ({ of, onEnded }: { readonly of: SessionEntry; readonly onEnded: () => void }) => {
  const words = accountText()
  const end = useAction(async () => {
    await post("/sessions/:id/end", {}, { id: of.id }).finally(onEnded)
    toast(words.ended)
  })
  return (
    <li class="flex items-center justify-between gap-4 px-5 py-3.5">
      <div class="min-w-0">
        <p class="truncate text-sm font-medium">{deviceOf(of.user_agent)}</p>
        <p class="truncate text-[0.8125rem] text-faint">
          {[of.address, words.lastSeen(ago(of.last_seen_at))].filter((part) => part !== "").join(" · ")}
        </p>
      </div>
      {of.is_current ? (
        <span class="badge badge-good">{words.current}</span>
      ) : (
        <Button look="danger" small disabled={end.isBusy} onClick={end.start}>
          {words.end}
        </Button>
      )}
    </li>
  )
}
