/** Who is signed in, where else they are, and ending those sessions. */
import { endSession, listSessions } from "../../storage/PersonStore.ts"
import { findSignedIn } from "../authenticate.ts"
import { ApiProblem } from "../ApiProblem.ts"
import { forAccount, forAnyone, json } from "../route.ts"

export const sessionRoutes = [
  /** The first question of every page; it also says what the front end must know before anyone signs in. */
  forAnyone("GET", "/session", async (ask, context) => {
    const signedIn = await findSignedIn(ask, context, { prolong: true })
    const reply = json({
      person: signedIn && {
        name: signedIn.person.name,
        email: signedIn.person.email,
        account_id: signedIn.person.accountId,
        is_operator: signedIn.person.isOperator,
        is_active: signedIn.person.isActive
      },
      base_url: context.settings.publicUrl,
      development: context.settings.development,
      simulates_bank: context.simulatesBank,
      sends_mail: context.settings.mail !== undefined
    })
    return { ...reply, headers: [...reply.headers, ...(signedIn?.cookies ?? [])] }
  }),

  forAccount("GET", "/sessions", async (ask, context, person) => {
    const current = await findSignedIn(ask, context)
    const sessions = await context.query("list sessions", (sql) => listSessions(sql, person.accountId))
    return json({
      sessions: sessions.map((session) => ({
        id: session.id,
        created_at: session.createdAtMs,
        last_seen_at: session.lastSeenAtMs,
        address: session.address,
        user_agent: session.userAgent,
        is_current: session.id === current?.sessionId
      }))
    })
  }),

  forAccount("POST", "/sessions/:id/end", async (ask, context, person) => {
    const ended = await context.query("end session", (sql) =>
      endSession(sql, person.accountId, ask.parameters["id"]!)
    )
    if (!ended) throw new ApiProblem(404, "not_found")
    return json({})
  })
]
