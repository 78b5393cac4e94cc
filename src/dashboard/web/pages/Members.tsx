/** Who acts for the account, and who is invited to. */
import { useState } from "preact/hooks"
import { get } from "../api.ts"
import type { FormerMember, Invitation, Member, SignedInPerson } from "../answers.ts"
import { Button } from "../components/Button.tsx"
import { Card, Page, Show } from "../components/Layout.tsx"
import { MemberBudget } from "../components/MemberBudget.tsx"
import { MemberTable } from "../components/MemberTable.tsx"
import { exactTime, fullDay, number } from "../language.ts"
import { session } from "../session.ts"
import { teamText } from "../text/team.ts"
import { useLoad, useReturn } from "../use-load.ts"
import { ChangeRole, InviteMember, RemoveMember, SetBudget, WithdrawInvitation } from "./member-dialogs.tsx"

type Open =
  | { readonly kind: "invite" }
  | { readonly kind: "change" | "remove"; readonly member: Member }
  | { readonly kind: "budget"; readonly of: Member | FormerMember }
  | { readonly kind: "withdraw"; readonly invitation: Invitation }

export const Members = () => {
  const list = useLoad(() => get("/members"), [])
  useReturn(list.reload)
  const [open, setOpen] = useState<Open>()
  const words = teamText()
  const close = () => {
    setOpen(undefined)
    list.reload()
  }
  return (
    <Page
      title={words.title}
      intro={words.intro}
      actions={
        <Button look="primary" icon="plus" onClick={() => setOpen({ kind: "invite" })}>
          {words.invite}
        </Button>
      }
    >
      <Show of={list}>
        {({ former, invitations, members }) => (
          <div class="space-y-6">
            <div class="card">
              <MemberTable
                members={members}
                name={(member) => <MemberName of={member} />}
                actions={(member) => <MemberActions of={member} onOpen={setOpen} />}
              />
            </div>
            <Former members={former} onOpen={setOpen} />
            <Pending invitations={invitations} onOpen={setOpen} />
          </div>
        )}
      </Show>
      {open?.kind === "invite" && <InviteMember onClose={close} />}
      {open?.kind === "change" && <ChangeRole of={open.member} onClose={close} />}
      {open?.kind === "budget" && <SetBudget of={open.of} onClose={close} />}
      {open?.kind === "remove" && <RemoveMember of={open.member} onClose={close} />}
      {open?.kind === "withdraw" && <WithdrawInvitation of={open.invitation} onClose={close} />}
    </Page>
  )
}

interface Opening {
  readonly onOpen: (open: Open) => void
}

const MemberActions = ({ of, onOpen }: Opening & { readonly of: Member }) => {
  const words = teamText()
  return (
    <>
      {maySetBudget(of) && (
        <Button look="quiet" small onClick={() => onOpen({ kind: "budget", of })}>
          {words.setBudget}
        </Button>
      )}
      {mayManage(of) && (
        <>
          <Button look="quiet" small onClick={() => onOpen({ kind: "change", member: of })}>
            {words.change}
          </Button>
          <Button look="danger" small onClick={() => onOpen({ kind: "remove", member: of })}>
            {words.remove}
          </Button>
        </>
      )}
    </>
  )
}

/** Of oneself nobody decides here, and of owners only owners. */
const mayManage = (member: Member): boolean => {
  const person = session.value?.person
  if (person === undefined || member.is_founder || member.id === person.account_id) return false
  return mayDecideOn(member, person)
}

const mayDecideOn = (member: Member, person: SignedInPerson): boolean =>
  member.role !== "owner" || person.acting.role === "owner"

/** Owners for all; admins for themselves and for all but owners. */
const maySetBudget = (member: Member): boolean => {
  const person = session.value?.person
  return person !== undefined && (member.id === person.account_id || mayDecideOn(member, person))
}

const Former = ({ members, onOpen }: Opening & { readonly members: ReadonlyArray<FormerMember> }) => {
  const words = teamText()
  if (members.length === 0) return null
  return (
    <Card title={words.former} flush>
      <ul class="divide-y divide-line border-t border-line">
        {members.map((member) => (
          <li key={member.id} class="flex items-center justify-between gap-4 px-5 py-3.5">
            <div class="min-w-0">
              <p class="truncate text-sm font-medium">{member.email}</p>
              <p class="text-[0.8125rem] text-faint">{words.formerKeys(number(member.active_keys))}</p>
              {member.budget !== null && <MemberBudget of={member.budget} />}
            </div>
            <Button look="quiet" small onClick={() => onOpen({ kind: "budget", of: member })}>
              {words.setBudget}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const MemberName = ({ of }: { readonly of: Member }) => {
  const words = teamText()
  return (
    <span class="block min-w-0">
      <span class="block truncate font-medium" title={of.name}>
        {of.name}
        {of.id === session.value?.person?.account_id && <span class="badge ml-2">{words.you}</span>}
        {of.is_founder && <span class="badge ml-2">{words.founder}</span>}
      </span>
      <span class="block truncate text-[0.8125rem] text-faint">{of.email}</span>
    </span>
  )
}

const Pending = ({ invitations, onOpen }: Opening & { readonly invitations: ReadonlyArray<Invitation> }) => {
  const words = teamText()
  if (invitations.length === 0) return null
  return (
    <Card title={words.pending} flush>
      <ul class="divide-y divide-line border-t border-line">
        {invitations.map((invitation) => (
          <li key={invitation.id} class="flex items-center justify-between gap-4 px-5 py-3.5">
            <div class="min-w-0">
              <p class="truncate text-sm font-medium">{invitation.email}</p>
              <p class="text-[0.8125rem] text-faint" title={exactTime(invitation.expires_at)}>
                {words.roles[invitation.role]} · {words.until(fullDay(invitation.expires_at))}
              </p>
            </div>
            <Button look="danger" small onClick={() => onOpen({ kind: "withdraw", invitation })}>
              {words.withdraw}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
