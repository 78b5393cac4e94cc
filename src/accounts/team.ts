/** Who acts for an account beside its founder: inviting, accepting, changing roles, and leaving. */
import { Clock, Effect, Schema } from "effect"
import { randomBase62 } from "../domain/base62.ts"
import { type AccountId, makeInvitationId } from "../domain/ids.ts"
import type { MemberRole } from "../domain/member-roles.ts"
import { Database } from "../storage/Database.ts"
import * as InvitationStore from "../storage/people/InvitationStore.ts"
import * as MemberStore from "../storage/people/MemberStore.ts"
import type { Asker } from "../storage/still-asks.ts"
import { awaitNodes } from "./await-nodes.ts"
import { checkEmail } from "./check-text.ts"
import { hashSecret } from "./hash-secret.ts"
import { dayMs } from "../domain/vietnam-days.ts"

export class MemberNotFound extends Schema.TaggedError<MemberNotFound>()("MemberNotFound", {
  personId: Schema.String
}) {
  override get message() {
    return `The account has no member ${this.personId}`
  }
}

export class InvitationNotFound extends Schema.TaggedError<InvitationNotFound>()("InvitationNotFound", {}) {
  override get message() {
    return "There is no such invitation, or it is over"
  }
}

export class InvitationNotYours extends Schema.TaggedError<InvitationNotYours>()("InvitationNotYours", {}) {
  override get message() {
    return "The invitation is for another address"
  }
}

export class AlreadyMember extends Schema.TaggedError<AlreadyMember>()("AlreadyMember", {}) {
  override get message() {
    return "Whoever has this address acts for the account already"
  }
}

export class TooManyMembers extends Schema.TaggedError<TooManyMembers>()("TooManyMembers", {}) {
  override get message() {
    return `The account has ${MemberStore.membersMax} members and invitations, which is the most it may have`
  }
}

export class RoleForbids extends Schema.TaggedError<RoleForbids>()("RoleForbids", {}) {
  override get message() {
    return "Only owners decide on owners"
  }
}

export class FounderStays extends Schema.TaggedError<FounderStays>()("FounderStays", {}) {
  override get message() {
    return "Whose account it is stays its owner"
  }
}

const invitationDays = 7
const tokenLength = 40

/** Who has something done in an account. */
export interface Acting extends Asker {
  readonly accountId: AccountId
  readonly by: AccountId
}

export interface Invited {
  readonly id: string
  readonly email: string
  /** What stands in the link; it is answered here and nowhere else. */
  readonly token: string
}

/** Whoever is invited again has the last invitation alone. */
export const invite = Effect.fn("invite")(function* (
  acting: Acting,
  asked: { email: string; role: MemberRole }
) {
  const email = checkEmail(asked.email)
  if (typeof email !== "string") return yield* email
  const now = yield* Clock.currentTimeMillis
  const token = randomBase62(tokenLength)
  const invitation = {
    ...acting,
    id: makeInvitationId(now),
    email: email.toLowerCase(),
    role: asked.role,
    tokenHash: hashSecret(token),
    expiresAt: new Date(now + invitationDays * dayMs)
  }
  const database = yield* Database
  const outcome = yield* database.run("invite", (sql) => InvitationStore.insertInvitation(sql, invitation))
  if (outcome === "forbidden") return yield* new RoleForbids()
  if (outcome === "member already") return yield* new AlreadyMember()
  if (outcome === "too many") return yield* new TooManyMembers()
  return { id: invitation.id, email: invitation.email, token } satisfies Invited
})

export const withdrawInvitation = Effect.fn("withdrawInvitation")(function* (acting: Acting, id: string) {
  const database = yield* Database
  const outcome = yield* database.run("withdraw invitation", (sql) =>
    InvitationStore.withdrawInvitation(sql, { ...acting, id })
  )
  if (outcome === "forbidden") return yield* new RoleForbids()
  if (outcome === "no invitation") return yield* new InvitationNotFound()
})

/** What a link invites to; it tells so only to the person whose address it was sent to. */
export const findInvitation = Effect.fn("findInvitation")(function* (token: string, email: string) {
  const database = yield* Database
  const invitation = yield* database.run("find invitation", (sql) =>
    InvitationStore.findInvitation(sql, hashSecret(token))
  )
  if (invitation === undefined) return yield* new InvitationNotFound()
  if (invitation.email !== email.toLowerCase()) return yield* new InvitationNotYours()
  return invitation
})

/** Answers the account that the person acts for from now on, also where they have accepted it before. */
export const acceptInvitation = Effect.fn("acceptInvitation")(function* (token: string, invitee: Invitee) {
  return yield* acceptOpen(token, invitee).pipe(
    Effect.catchTag("InvitationNotFound", (over) =>
      Effect.gen(function* () {
        const database = yield* Database
        const accepted = yield* database.run("find accepted invitation", (sql) =>
          InvitationStore.findAccepted(sql, hashSecret(token), invitee.personId)
        )
        return accepted ?? (yield* over)
      })
    )
  )
})

interface Invitee {
  readonly personId: AccountId
  readonly email: string
}

const acceptOpen = Effect.fnUntraced(function* (token: string, { email, personId }: Invitee) {
  const invitation = yield* findInvitation(token, email)
  const database = yield* Database
  const outcome = yield* database.run("accept invitation", (sql) =>
    InvitationStore.acceptInvitation(sql, invitation, personId)
  )
  if (outcome === "over") return yield* new InvitationNotFound()
  if (outcome === "member already") return yield* new AlreadyMember()
  return invitation.accountId
})

export const changeRole = Effect.fn("changeRole")(function* (
  acting: Acting,
  personId: string,
  role: MemberRole
) {
  const database = yield* Database
  const outcome = yield* database.run("change role", (sql) =>
    MemberStore.changeRole(sql, { ...acting, personId }, role)
  )
  if (outcome !== "changed") return yield* failureOf(outcome, personId)
})

/** Once this returns they can do nothing for the account, and where keys end with them no node admits a call of those. */
export const removeMember = Effect.fn("removeMember")(function* (
  acting: Acting,
  personId: string,
  revokesKeys: boolean
) {
  const database = yield* Database
  const outcome = yield* database.run("remove member", (sql) =>
    MemberStore.removeMember(sql, { ...acting, personId }, revokesKeys)
  )
  if (typeof outcome === "string") return yield* failureOf(outcome, personId)
  if (outcome.eventId !== undefined) yield* awaitNodes(outcome.eventId)
})

const failureOf = (
  refusal: MemberStore.MemberRefusal,
  personId: string
): Effect.Effect<never, MemberNotFound | RoleForbids | FounderStays> => {
  switch (refusal) {
    case "no member":
      return Effect.fail(new MemberNotFound({ personId }))
    case "forbidden":
      return Effect.fail(new RoleForbids())
    case "founder":
      return Effect.fail(new FounderStays())
  }
}
