/** Who is signed in, known to every page. */
import { signal } from "@preact/signals"
import { get, post, whenSignedOut } from "./api.ts"
import type { Session } from "./api-types.ts"
import { navigate } from "./router.ts"

/** `undefined` until the first answer. */
export const session = signal<Session | undefined>(undefined)

export const loadSession = async (): Promise<void> => {
  session.value = await get<Session>("/session")
}

export const signOut = async (): Promise<void> => {
  await post("/auth/sign-out")
  await loadSession()
  navigate("/signin")
}

whenSignedOut(() => {
  const { person: _, ...rest } = session.value ?? { base_url: "", development: false, sends_mail: false }
  session.value = rest
})
