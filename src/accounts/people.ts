/** The people who sign in to the dashboard: better-auth over its own small pool. A person has the id of their account. */
import { createHmac } from "node:crypto"
import type { Auth, BetterAuthOptions } from "better-auth"
import type postgres from "postgres"
import { type AccountId, makeAccountId } from "../domain/ids.ts"
import { openConnection } from "../storage/postgres/Connection.ts"
import { ConnectionPool } from "../storage/postgres/ConnectionPool.ts"
import { findResetLink, useResetLink } from "../storage/people/person-password.ts"
import { startTotp, useTotpStep } from "../storage/people/second-factors.ts"
import type { Proxies } from "../config/choose-proxy.ts"
import type { OAuthSettings } from "../config/settings.ts"
import { outwardAgent } from "../outgoing/connect-outward.ts"
import { credentialFields, customRules, times, twoFactorOptions, verificationOptions } from "./auth-tables.ts"
import { sendAddressMail, sendFormerAddressMail } from "./address-mail.ts"
import { oauthConfigOf } from "./oauth-providers.ts"
import { hashLinkToken, makeLinkToken, resetIdentifier, resetSeconds, resetUrl } from "./reset-link.ts"
import { passwordLengthMax, passwordLengthMin } from "../domain/field-limits.ts"
import type { SealKey } from "./seal-key.ts"
import { MailAgain } from "./mail-again.ts"
import { type Mailing, mailLink } from "./mail-link.ts"
import { sendPasswordMail } from "./password-mail.ts"
import type { MailServer } from "./send-mail.ts"

export const authPath = "/dashboard/api/auth"
const addressSeconds = 86_400

export interface PeopleOptions {
  readonly databaseUrl: string
  readonly publicUrl: string
  /** The same on every node: the first signs session cookies and encrypts second factors, the others still decrypt. */
  readonly secrets: ReadonlyArray<CookieSecret>
  readonly mail: MailServer | undefined
  readonly oauth: ReadonlyArray<OAuthSettings>
  readonly proxies: Proxies
  /** False only in tests that are not about limits. */
  readonly limited: boolean
  /** A message, and what else is said with it. */
  readonly onWarning: (said: ReadonlyArray<unknown>) => void
}

export interface People {
  readonly auth: Auth<BetterAuthOptions>
  /** Has a link sent or, where no mail is, tells the operators; nothing where there is no such person. */
  readonly requestReset: (email: string) => Promise<void>
  /** Sets a password by a link that was sent, and tells whose; `undefined` where it is good no more. */
  readonly resetPassword: (token: string, secret: string) => Promise<AccountId | undefined>
  /** The first code of a new secret was shown in this session; false where it is none. */
  readonly startTotp: (personId: AccountId, sessionId: string, code: string) => Promise<boolean>
  readonly isTotpSecretOf: (personId: AccountId, secret: string) => Promise<boolean>
  readonly isPasswordOf: (personId: string, password: string) => Promise<boolean>
  /** Mails a link there that shows whose the address is; nothing where no mail is. */
  readonly sendAddressLink: (personId: AccountId, email: string) => Promise<void>
  /** Mails the former address of a person that it is theirs no more. */
  readonly tellFormerAddress: (email: string) => Promise<void>
  /** Whom such a link was sent to, once. */
  readonly takeAddressToken: (token: string) => Promise<AddressOwner | undefined>
  readonly close: () => Promise<void>
}

export interface AddressOwner {
  readonly accountId: AccountId
  readonly email: string
}

export interface CookieSecret {
  /** Names it in what it has encrypted. */
  readonly version: number
  readonly value: string
}

/** Cookie secrets follow from the seal keys, so that there is one secret to keep. */
export const cookieSecretsOf = (sealKeys: ReadonlyArray<SealKey>): ReadonlyArray<CookieSecret> =>
  sealKeys.map(({ bytes, id }) => ({
    version: Number.parseInt(id.slice(0, 8), 16),
    value: createHmac("sha256", bytes).update("tollgate session cookies").digest("base64url")
  }))

export const makePeople = async (options: PeopleOptions): Promise<People> => {
  const pool = openPool(options.databaseUrl)
  const again = new MailAgain()
  const dispatcher = outwardAgent(options.proxies)
  const auth = await loadAuth(options, { again, pool }, dispatcher)
  const context = await auth.$context
  const { internalAdapter, password } = context
  const { isSecretOf, readCode } = await import("./codes-once.ts")

  return {
    auth,
    requestReset: async (email) => {
      await auth.api.requestPasswordReset({ body: { email } })
    },
    resetPassword: async (token, secret) => {
      const personId = await pool.run((sql) => findResetLink(sql, resetIdentifier(token)))
      if (personId === undefined) return undefined
      const hash = await password.hash(secret)
      // Elsewhere links come from operators, and no address is ever verified.
      const showsAddress = options.mail !== undefined
      const link = { identifier: resetIdentifier(token), personId, hash, showsAddress }
      return (await pool.run((sql) => useResetLink(sql, link))) ? personId : undefined
    },
    startTotp: async (personId, sessionId, code) => {
      const shown = await readCode(context, personId, code)
      return shown !== undefined && pool.run((sql) => startTotp(sql, { ...shown, personId, sessionId }))
    },
    isTotpSecretOf: (personId, secret) => isSecretOf(context, personId, secret),
    isPasswordOf: async (personId, secret) => {
      // Also with accents that stand behind their letters. Composed for a megabyte of these, they would take a minute.
      if (secret.length > 4 * passwordLengthMax) return false
      const [row] = await pool.run(
        (sql) => sql<Array<{ password: string | null }>>`
          select password from credentials where person_id = ${personId} and provider = 'credential'`
      )
      return row?.password != null && password.verify({ hash: row.password, password: secret })
    },
    ...addressLinks(options, { again, pool }, internalAdapter),
    close: async () => {
      again.close()
      await dispatcher.close()
      await pool.close()
    }
  }
}

/** better-auth takes a third of a second to load, hence only where people are. */
const loadAuth = async (
  options: PeopleOptions,
  { again, pool }: Mailing,
  dispatcher: ReturnType<typeof outwardAgent>
): Promise<Auth<BetterAuthOptions>> => {
  const [
    { betterAuth },
    { genericOAuth },
    { twoFactor },
    { codesOnce },
    { passkeysOf },
    { PostgresJSDialect }
  ] = await Promise.all([
    import("better-auth"),
    import("better-auth/plugins/generic-oauth"),
    import("better-auth/plugins/two-factor"),
    import("./codes-once.ts"),
    import("./passkey-options.ts"),
    import("kysely-postgres-js")
  ])
  return betterAuth({
    ...authOptions(options, { again, pool }),
    plugins: [
      twoFactor(twoFactorOptions),
      codesOnce((personId, step) => pool.run((sql) => useTotpStep(sql, personId, step))),
      ...passkeysOf(options.publicUrl),
      genericOAuth({ config: options.oauth.map((each) => oauthConfigOf(each, dispatcher)) })
    ],
    // Whoever signs up is there with what they sign in by, or not at all.
    database: {
      dialect: new PostgresJSDialect({ postgres: clientOf(pool) }),
      type: "postgres",
      transaction: true
    }
  } as BetterAuthOptions)
}

type Verifications = Awaited<Auth<BetterAuthOptions>["$context"]>["internalAdapter"]

/** Showing whose an address is, by a link that is good once. */
const addressLinks = (
  { mail, publicUrl }: PeopleOptions,
  mailing: Mailing,
  verifications: Verifications
): Pick<People, "sendAddressLink" | "takeAddressToken" | "tellFormerAddress"> => ({
  sendAddressLink: async (accountId, email) => {
    if (mail === undefined) return
    const token = makeLinkToken()
    const identifier = addressIdentifier(token)
    const owner: AddressOwner = { accountId, email: email.toLowerCase() }
    await verifications.createVerificationValue({
      identifier,
      value: JSON.stringify(owner),
      expiresAt: new Date(Date.now() + addressSeconds * 1_000)
    })
    // As it will be theirs: what was typed may be another mailbox, as where a Kelvin sign becomes a "k".
    const link = `${publicUrl}/dashboard/verify?token=${token}`
    await mailLink(mailing, identifier, () => sendAddressMail(mail, owner.email, link))
  },
  tellFormerAddress: async (email) => {
    if (mail === undefined) return
    await mailing.again.send(
      () => sendFormerAddressMail(mail, email),
      async () => true
    )
  },
  takeAddressToken: async (token) => {
    const found = await verifications.consumeVerificationValue(addressIdentifier(token))
    return found === null ? undefined : (JSON.parse(found.value) as AddressOwner)
  }
})

const addressIdentifier = (token: string) => `address:${hashLinkToken(token)}`

/** An int8 as text or as a bigint, better-auth would add up as text. */
const openPool = (databaseUrl: string) =>
  new ConnectionPool(
    () =>
      openConnection(databaseUrl, {
        name: "tollgate people",
        bigint: { to: 20, from: [20], serialize: String, parse: Number }
      }),
    { connectionsMax: 3 }
  )

/** What kysely's dialect asks of a client: connections that it reserves and releases. */
const clientOf = (pool: ConnectionPool) => {
  const reserve = async () => {
    const { release, sql } = await pool.take()
    return { unsafe: sql.unsafe, release }
  }
  return Object.assign(() => {}, { reserve, end: () => pool.close() }) as unknown as postgres.Sql
}

const authOptions = (options: PeopleOptions, { again, pool }: Mailing): BetterAuthOptions => ({
  baseURL: options.publicUrl,
  basePath: authPath,
  secrets: [...options.secrets],
  trustedOrigins: async (request) =>
    ownOrigins(options.publicUrl, (name) => request?.headers.get(name) ?? ""),
  user: { modelName: "people", fields: { emailVerified: "email_verified", ...times } },
  session: {
    modelName: "sessions",
    // Before a passkey is added, our own rules ask who it is; better-auth would ask for a new session.
    freshAge: 0,
    fields: {
      userId: "person_id",
      expiresAt: "expires_at",
      ipAddress: "ip_address",
      userAgent: "user_agent",
      ...times
    }
  },
  account: { modelName: "credentials", fields: credentialFields, updateAccountOnSignIn: false },
  // Whom a token is of has been told when it comes here: it is not needed again.
  databaseHooks: {
    // A machine whose clock is ahead must not end everybody's for all others: what has expired goes by the database's clock, in `tidy`.
    session: {
      delete: {
        before: async ({ expiresAt }, request) => expiresAt >= new Date() || request?.path === "/sign-out"
      }
    },
    account: {
      create: {
        before: async (account) => ({
          data: { ...account, accessToken: null, refreshToken: null, idToken: null }
        })
      }
    }
  },
  verification: verificationOptions,
  emailAndPassword: {
    enabled: true,
    minPasswordLength: passwordLengthMin,
    maxPasswordLength: passwordLengthMax,
    resetPasswordTokenExpiresIn: resetSeconds,
    sendResetPassword: async ({ token, user }) => {
      const { mail } = options
      if (mail !== undefined) {
        const link = resetUrl(options.publicUrl, token)
        const send = () => sendPasswordMail(mail, user.email, link)
        return mailLink({ again, pool }, resetIdentifier(token), send)
      }
      await pool.run(
        (sql) => sql`insert into password_reset_requests (person_id) values (${user.id})
          on conflict (person_id) do update set at = now()`
      )
    }
  },
  rateLimit: { enabled: options.limited, storage: "memory", window: 60, max: 60, customRules },
  logger: { level: "warn", log: (_level, ...said) => options.onWarning(said) },
  // Else it and the router under it would write what failed to the console by themselves.
  onAPIError: { throw: true, errorURL: `${options.publicUrl}/dashboard/signin` },
  advanced: {
    useSecureCookies: options.publicUrl.startsWith("https:"),
    cookiePrefix: "tollgate",
    // The gateway writes this header itself and strips the client's own.
    ipAddress: { ipAddressHeaders: ["x-real-ip"] },
    database: {
      generateId: ({ model }) =>
        model === "user" || model === "people" ? makeAccountId(Date.now()) : crypto.randomUUID()
    }
  }
})

/** The address of the settings, and the one the request itself came to: a browser can not forge its Host. */
export const ownOrigins = (publicUrl: string, header: (name: string) => string): Array<string> => {
  const host = header("x-forwarded-host")
  const protocol = header("x-forwarded-proto") === "https" ? "https" : "http"
  return [new URL(publicUrl).origin, ...(host === "" ? [] : [`${protocol}://${host}`])]
}
