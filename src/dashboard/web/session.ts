/** Who is signed in, known to every page. */
import { signal } from "@preact/signals"
import { type Duty, mayDo } from "../../domain/staff-roles.ts"
import { get, whenSignedOut, postAuth } from "./api.ts"
import type { Session } from "./answers.ts"
import { toast } from "./components/Toasts.tsx"
import { text } from "./language.ts"
import { navigate } from "./router.ts"
import { whenSeen } from "./when-seen.ts"

/** `undefined` until the first answer. */
export const session = signal<Session | undefined>(undefined)

const role = () => session.value?.person?.role ?? undefined

export const isStaff = (): boolean => role() !== undefined

/** Whether whoever is signed in may do it as an operator; what they may not is not offered. */
export const may = (duty: Duty): boolean => mayDo(role(), duty)

export const loadSession = async (): Promise<void> => {
  session.value = await get("/session")
}

export const signOut = async (): Promise<void> => {
  await postAuth("sign-out")
  await loadSession()
  navigate("/signin")
}

const tellEnd = () => toast(text().errors.codes.signed_out, "bad")

const nobody: Session = { base_url: "", development: false, simulates_bank: false, sends_mail: false }

whenSignedOut(() => {
  if (session.value?.person !== undefined) tellEnd()
  const { person: _, ...rest } = session.value ?? nobody
  session.value = rest
})

// Another tab may have signed out, or somebody else in.
whenSeen(() => {
  if (session.value?.person === undefined) return
  const check = () => {
    if (session.value?.person === undefined) tellEnd()
  }
  loadSession().then(check, () => {})
})
