/** Who is signed in, and where. */
import type { AccountId } from "../../domain/ids.ts"
import type { Language } from "../../domain/language.ts"
import type { StaffRole } from "../../domain/staff-roles.ts"
import type { Sql } from "../Database.ts"

/** The account behind a person, read on every request: a role or a ban counts at once. */
export interface Person {
  readonly accountId: AccountId
  readonly name: string
  readonly email: string
  readonly isEmailVerified: boolean
  readonly isActive: boolean
  /** In which they last used the pages. */
  readonly language: Language | undefined
  /** `undefined` for customers. */
  readonly role: StaffRole | undefined
  /** A code of an authenticator app is asked for at each sign-in. */
  readonly hasTotp: boolean
  readonly passkeys: number
  readonly hasPassword: boolean
  /** Since a second factor was shown in this session; `undefined`: it was not. */
  readonly confirmedSecondsAgo: number | undefined
}

export const findPerson = async (
  sql: Sql,
  personId: string,
  sessionId?: string
): Promise<Person | undefined> => {
  const [row] = await sql<
    Array<{
      id: AccountId
      name: string
      email: string
      email_verified: boolean
      status: string
      language: Language | null
      staff_role: StaffRole | null
      has_totp: boolean
      passkeys: number
      has_password: boolean
      confirmed_ago: number | null
    }>
  >`
    select a.id, p.name, a.email, p.email_verified, a.status, p.language, a.staff_role, p.two_factor_enabled as has_totp,
      (select count(*)::int from passkeys k where k.person_id = p.id) as passkeys,
      exists (select from credentials c where c.person_id = p.id and c.password is not null) as has_password,
      (select extract(epoch from now() - s.confirmed_at)::float8 from sessions s
        where s.id = ${sessionId ?? null} and s.person_id = p.id) as confirmed_ago
    from people p join accounts a on a.id = p.id where p.id = ${personId}`
  return (
    row && {
      accountId: row.id,
      name: row.name,
      email: row.email,
      isEmailVerified: row.email_verified,
      isActive: row.status === "active",
      language: row.language ?? undefined,
      role: row.staff_role ?? undefined,
      hasTotp: row.has_totp,
      passkeys: row.passkeys,
      hasPassword: row.has_password,
      confirmedSecondsAgo: row.confirmed_ago ?? undefined
    }
  )
}

/** What the person with this email signs in with, stored as a hash. Whoever replaces it just then is waited for. */
export const findPassword = async (
  sql: Sql,
  email: string
): Promise<{ readonly personId: AccountId; readonly hash: string | null } | undefined> => {
  const [row] = await sql<Array<{ personId: AccountId; hash: string | null }>>`
    select p.id as "personId", c.password as hash from people p join credentials c on c.person_id = p.id
    where p.email = ${email} and c.provider = 'credential' for share of c`
  return row
}

export interface SessionRow {
  readonly id: string
  readonly createdAtMs: number
  readonly lastSeenAtMs: number
  readonly address: string
  readonly userAgent: string
}

export const listSessions = async (sql: Sql, personId: string): Promise<ReadonlyArray<SessionRow>> => {
  const rows = await sql<
    Array<{
      id: string
      created_at: Date
      updated_at: Date
      ip_address: string | null
      user_agent: string | null
    }>
  >`
    select id, created_at, updated_at, ip_address, user_agent from sessions
    where person_id = ${personId} and expires_at > now() order by updated_at desc limit 50`
  return rows.map((row) => ({
    id: row.id,
    createdAtMs: row.created_at.getTime(),
    lastSeenAtMs: row.updated_at.getTime(),
    address: row.ip_address ?? "",
    userAgent: row.user_agent ?? ""
  }))
}

/** Where the person with this email is signed in. */
export const addressesOfSessions = async (sql: Sql, email: string): Promise<ReadonlyArray<string>> => {
  const rows = await sql<Array<{ address: string }>>`
    select distinct ip_address as address from sessions where expires_at > now() and ip_address is not null
      and person_id = (select id from people where email = ${email}) limit 50`
  return rows.map(({ address }) => address)
}

/** False when there is no such session of this person. */
export const endSession = async (sql: Sql, personId: string, sessionId: string): Promise<boolean> => {
  const ended =
    await sql`delete from sessions where id = ${sessionId} and person_id = ${personId} returning id`
  return ended.length > 0
}

/** All sessions of this person but the one they ask from. */
export const endOtherSessions = async (
  sql: Sql,
  personId: string,
  sessionId: string | undefined
): Promise<void> => {
  await sql`delete from sessions where person_id = ${personId} and id is distinct from ${sessionId ?? null}`
}

export const noteLanguage = async (sql: Sql, personId: AccountId, language: Language): Promise<void> => {
  await sql`update people set language = ${language} where id = ${personId}`
}
