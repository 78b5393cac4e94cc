/** How a customer is reached and comes in, for whoever says that nothing came: what was sent and how that went, and their ways in. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { isAlertKind } from "../../domain/alert-kinds.ts"
import type { AccountId } from "../../domain/ids.ts"
import { readAlertSettings } from "../../storage/alerts/AlertSettingsStore.ts"
import { listOpenLinks } from "../../storage/people/open-links.ts"
import { findPerson, listSessions } from "../../storage/people/PersonStore.ts"
import { listSignInsElsewhere } from "../../storage/people/sign-ins-elsewhere.ts"
import { listWebhooks } from "../../storage/alerts/WebhookStore.ts"
import { Api } from "../definition/Api.ts"
import { answerDeliveries } from "./alerts.ts"
import { accountOf } from "./operator-accounts.ts"
import { query, refuse } from "./refuse.ts"

export const operatorContactHandlers = HttpApiBuilder.group(Api, "operatorContact", (handlers) =>
  handlers.handleAll({
    deliveries: Effect.fnUntraced(function* ({ params, query: asked }) {
      const { accountId } = yield* accountOf(params.id)
      return yield* answerDeliveries(accountId, asked, hostOf)
    }),

    told: Effect.fnUntraced(function* ({ params }) {
      const { accountId } = yield* accountOf(params.id)
      const [settings, webhooks] = yield* query("read alerts", (sql) =>
        Promise.all([readAlertSettings(sql, accountId), listWebhooks(sql, accountId)])
      )
      if (settings === undefined) return yield* refuse("not_found")
      return {
        email: settings.email === "" ? settings.accountEmail : settings.email,
        mail: settings.mailKinds.filter(isAlertKind),
        webhooks: webhooks.map(({ createdAtMs, id, kinds, paused, url }) => ({
          id,
          host: hostOf(url),
          kinds: kinds.filter(isAlertKind),
          paused,
          created_at: createdAtMs
        }))
      }
    }),

    waysIn: Effect.fnUntraced(function* ({ params }) {
      const { accountId } = yield* accountOf(params.id)
      return { person: yield* waysInOf(accountId) }
    })
  })
)

/** The path of a webhook, as of many a chat's, may be all that is asked of who posts there. */
const hostOf = (url: string) => URL.parse(url)?.host ?? ""

const waysInOf = Effect.fnUntraced(function* (accountId: AccountId) {
  const [person, elsewhere, sessions, links] = yield* query("read ways in", (sql) =>
    Promise.all([
      findPerson(sql, accountId),
      listSignInsElsewhere(sql, accountId),
      listSessions(sql, accountId),
      listOpenLinks(sql, accountId)
    ])
  )
  if (person === undefined) return null
  return {
    is_verified: person.isEmailVerified,
    has_password: person.hasPassword,
    has_totp: person.hasTotp,
    passkeys: person.passkeys,
    elsewhere: elsewhere.map(({ provider, since }) => ({ provider, since: since.getTime() })),
    sessions: sessions.map(({ createdAtMs, lastSeenAtMs }) => ({
      created_at: createdAtMs,
      last_seen_at: lastSeenAtMs
    })),
    links: links.map(({ at, email, kind, mailOutcome, until }) => ({
      kind,
      email,
      created_at: at.getTime(),
      expires_at: until.getTime(),
      mail_outcome: mailOutcome
    }))
  }
})
