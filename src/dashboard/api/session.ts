/** Who is signed in, where else they are, and ending those sessions. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { currentMaintenance } from "../../accounts/maintenance.ts"
import { endLinks } from "../../storage/people/end-links.ts"
import {
  endOtherSessions,
  endSession,
  listSessions,
  noteLanguage,
  type Person
} from "../../storage/people/PersonStore.ts"
import { passkeyHostOf } from "../../accounts/passkey-host.ts"
import { listStandings, type Standing } from "../../storage/people/MemberStore.ts"
import { addressBlock } from "../../domain/address-block.ts"
import { actingHeader, findSignedIn } from "../authenticate.ts"
import { awaitsConfirmation, hasSecondFactor, lacksSecondFactor } from "../confirmation.ts"
import type { DashboardContext } from "../DashboardContext.ts"
import { Caller } from "../definition/access.ts"
import { Api } from "../definition/Api.ts"
import type { SessionState } from "../definition/session.ts"
import { json } from "../json-reply.ts"
import { renderMaintenance } from "../service-status.ts"
import { languageOf } from "../static-files.ts"
import { askingOf, rawReply } from "./raw-reply.ts"
import { act, query, refuse } from "./refuse.ts"

export const sessionHandlers = (context: DashboardContext) =>
  HttpApiBuilder.group(Api, "session", (handlers) =>
    handlers.handleAll({
      /** The first question of every page. */
      read: Effect.fnUntraced(function* ({ request }) {
        const asking = askingOf(request)
        const signedIn = yield* Effect.promise(() => findSignedIn(asking, context, { prolong: true }))
        const { settings } = context
        const standings =
          signedIn === undefined
            ? []
            : yield* query("list standings", (sql) => listStandings(sql, signedIn.person.accountId))
        const language = languageOf(asking)
        if (signedIn !== undefined && signedIn.person.language !== language)
          yield* query("note language", (sql) => noteLanguage(sql, signedIn.person.accountId, language))
        const maintenance = signedIn && renderMaintenance(yield* act(currentMaintenance()))
        const state: SessionState = {
          ...(signedIn && {
            person: renderPerson(signedIn.person, context, standings, request.headers[actingHeader])
          }),
          ...(maintenance && { maintenance }),
          base_url: settings.publicUrl,
          development: settings.development,
          simulates_bank: context.simulatesBank,
          sends_mail: settings.mail !== undefined,
          passkey_host: passkeyHostOf(settings.publicUrl) ?? null,
          sign_in_with: settings.oauth.map(({ provider }) => provider)
        }
        const reply = json(state)
        return rawReply({ ...reply, headers: [...reply.headers, ...(signedIn?.cookies ?? [])] })
      }),

      list: Effect.fnUntraced(function* () {
        const { accountId, sessionId } = yield* Caller
        const sessions = yield* query("list sessions", (sql) => listSessions(sql, accountId))
        return {
          sessions: sessions.map((session) => ({
            id: session.id,
            created_at: session.createdAtMs,
            last_seen_at: session.lastSeenAtMs,
            address: addressBlock(session.address),
            user_agent: session.userAgent,
            is_current: session.id === sessionId
          }))
        }
      }),

      endOthers: Effect.fnUntraced(function* () {
        const { accountId, sessionId } = yield* Caller
        yield* query("end sessions", async (sql) => {
          await endOtherSessions(sql, accountId, sessionId)
          await endLinks(sql, accountId)
        })
        return {}
      }),

      end: Effect.fnUntraced(function* ({ params }) {
        const { accountId } = yield* Caller
        const ended = yield* query("end session", async (sql) => {
          const isTheirs = await endSession(sql, accountId, params.id)
          // What was begun there ends with it.
          if (isTheirs) await endLinks(sql, accountId)
          return isTheirs
        })
        return ended ? {} : yield* refuse("not_found")
      })
    })
  )

/** Whoever is no member of the account any more acts for their own again; of one that is closed they are told that it is. */
const renderPerson = (
  person: Person,
  context: DashboardContext,
  standings: ReadonlyArray<Standing>,
  asked: string | undefined
): NonNullable<SessionState["person"]> => {
  const { accountId: ownId, email, isActive, name } = person
  const own = { accountId: ownId, role: "owner", name, email, isActive } as const
  const acting = standings.find(({ accountId }) => accountId === asked) ?? own
  const accounts = standings.filter(
    ({ accountId, isActive }) => isActive || accountId === ownId || accountId === acting.accountId
  )
  return {
    ...describePerson(person, context),
    acting: renderStanding(acting),
    accounts: accounts.map(renderStanding)
  }
}

const renderStanding = (standing: Standing) => ({
  account_id: standing.accountId,
  role: standing.role,
  name: standing.name,
  email: standing.email,
  is_active: standing.isActive
})

const describePerson = (person: Person, context: DashboardContext) => ({
  name: person.name,
  email: person.email,
  email_verified: person.isEmailVerified,
  account_id: person.accountId,
  role: person.role ?? null,
  is_active: person.isActive,
  has_password: person.hasPassword,
  has_totp: person.hasTotp,
  has_passkey: person.passkeys > 0,
  has_second_factor: hasSecondFactor(person),
  awaits_confirmation: awaitsConfirmation(person),
  lacks_second_factor: lacksSecondFactor(person, context)
})
