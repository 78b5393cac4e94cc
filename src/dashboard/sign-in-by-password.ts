/**
 * A password may be replaced while somebody signs in by the former one: to check it takes a while, and what they began
 * would be there after all else was ended.
 */
import { endLinks } from "../storage/people/end-links.ts"
import { endSession, findPassword } from "../storage/people/PersonStore.ts"
import { ApiProblem } from "./ApiProblem.ts"
import type { DashboardContext } from "./DashboardContext.ts"
import type { Reply } from "./exchange.ts"
import { sessionBegunBy } from "./hand-over.ts"

/** `signIn` begins a session, or a sign-in that waits for its second step: it counts where the password is still the same. */
export const signInByPassword = async (
  email: string,
  context: DashboardContext,
  signIn: () => Promise<Reply>
): Promise<Reply> => {
  const find = () => context.query("find password", (sql) => findPassword(sql, email))
  const before = await find()
  const reply = await signIn()
  if (before === undefined || reply.status !== 200) return reply
  if ((await find())?.hash === before.hash) return reply
  const sessionId = await sessionBegunBy(reply, context)
  await context.query("end sign-in", async (sql) => {
    if (sessionId !== undefined) await endSession(sql, before.personId, sessionId)
    await endLinks(sql, before.personId)
  })
  throw new ApiProblem(401, "INVALID_EMAIL_OR_PASSWORD")
}
