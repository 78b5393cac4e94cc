/** Who is signed in, known to every page. */
import { signal } from "@preact/signals"
import { actFor, get, getSession, postAuth, showTo, whenOutdated, whenSignedOut } from "./api.ts"
import type { Session } from "./answers.ts"
import type { AnswerTo } from "./endpoints.ts"
import { toast } from "./components/Toasts.tsx"
import { signInAgain } from "./confirming.ts"
import { text } from "./language.ts"
import { navigate } from "./router.ts"
import { hasTyped } from "./typed-forms.ts"
import { whenSeen } from "./when-seen.ts"

/** `undefined` until the first answer. */
export const session = signal<Session | undefined>(undefined)

/** A sign-in has begun and wants its second step. */
export const secondStep = signal(false)

const remembered = "tollgate_account"

let latest: Promise<void> | undefined

/** Until it is answered the page goes on as whom it is shown to, for the account that it shows; also then where `stays` says so. */
export const loadSession = (stays = () => false): Promise<void> => {
  // An answer that comes after a newer question is of no use.
  const mine: Promise<void> = getSession(localStorage.getItem(remembered) ?? "").then((answer) =>
    mine !== latest ? latest : answer.person === undefined && stays() ? tellEnd() : take(answer)
  )
  return (latest = mine)
}

const take = (answer: Session) => {
  const { person } = answer
  if (person) noteAccount(person.acting.account_id, person.account_id)
  showTo(person?.account_id ?? "")
  session.value = answer
}

/** The server says which account it is; one's own needs no name. */
const noteAccount = (accountId: string, own: string) => {
  actFor(accountId === own ? "" : accountId)
  if (accountId === own) localStorage.removeItem(remembered)
  else localStorage.setItem(remembered, accountId)
}

/** From now on this page and those opened later act for this account. */
export const switchAccount = async (accountId: string): Promise<void> => {
  localStorage.setItem(remembered, accountId)
  await loadSession()
  navigate("/")
}

/** True where a second step is asked for before the session begins. */
export const beginSignIn = async (email: string, password: string): Promise<boolean> => {
  const begun = await postAuth<{ readonly twoFactorRedirect?: boolean }>("sign-in/email", { email, password })
  return begun.twoFactorRedirect === true
}

export const signOut = async (): Promise<void> => {
  await postAuth("sign-out")
  await loadSession()
  navigate("/signin")
}

const tellEnd = () => toast(text().errors.codes.signed_out, "bad")

const nobody: Session = {
  base_url: "",
  development: false,
  simulates_bank: false,
  sends_mail: false,
  passkey_host: null,
  sign_in_with: []
}

whenOutdated((why) => {
  // Of an account that is closed the page itself says so.
  if (why !== "account_disabled") toast(text().errors.codes[why], "bad")
  loadSession().catch(() => {})
})

/** What was typed, or a key that a dialog shows once: it is not taken away because the session has ended. */
const holdsSomething = () => hasTyped() || document.querySelector("dialog[open]") !== null

whenSignedOut(async (isSent) => {
  if (isSent && session.value?.person !== undefined) return signInAgain()
  if (holdsSomething()) return false
  if (session.value?.person !== undefined) tellEnd()
  const { person: _, ...rest } = session.value ?? nobody
  showTo("")
  session.value = rest
  return false
})

// Another tab may have signed out, or somebody else in.
whenSeen(() => {
  if (session.value?.person === undefined) return
  const check = () => {
    if (session.value?.person === undefined) tellEnd()
  }
  loadSession(holdsSomething).then(check, () => {})
})

const noticeMs = 60_000

// Pages that stay open hear of maintenance, too. It is no sign of the person, so it does not prolong their session.
setInterval(() => {
  if (document.visibilityState === "visible" && session.value?.person !== undefined)
    get("/notice").then(hear, () => {})
}, noticeMs)

const hear = ({ notice }: AnswerTo<"GET", "/notice">) => {
  if (session.value === undefined) return
  const { maintenance: former, ...rest } = session.value
  if (JSON.stringify(notice) === JSON.stringify(former ?? null)) return
  session.value = notice === null ? rest : { ...rest, maintenance: notice }
}
