/** The dialogs of the page of members. */
import { useState } from "preact/hooks"
import { type MemberRole, memberRoles } from "../../../domain/member-roles.ts"
import { emailLengthMax } from "../../../domain/field-limits.ts"
import { post } from "../api.ts"
import type { FormerMember, Invitation, Member } from "../answers.ts"
import { changedFields } from "../changed-fields.ts"
import { ConfirmEnd } from "../components/ConfirmEnd.tsx"
import { Dialog } from "../components/Dialog.tsx"
import { FormActions } from "../components/FormActions.tsx"
import { Field } from "../components/Field.tsx"
import { Form } from "../components/Form.tsx"
import { NewSecret } from "../components/SecretText.tsx"
import { toast } from "../components/Toasts.tsx"
import { isEmail } from "../is-email.ts"
import { money, number, text } from "../language.ts"
import { session } from "../session.ts"
import { teamText } from "../text/team.ts"
import { tellDone } from "../tell-done.ts"
import { useSubmit } from "../use-submit.ts"
import { BudgetFields } from "./BudgetFields.tsx"
import { budgetOf, typedBudgetOf } from "./key-settings.ts"

interface Closing {
  readonly onClose: () => void
}

export const InviteMember = ({ onClose }: Closing) => {
  const [link, setLink] = useState<{ readonly email: string; readonly link: string }>()
  const words = teamText()
  return (
    <Dialog title={link ? words.linkTitle : words.invite} onClose={onClose}>
      {link ? (
        <NewSecret hint={words.linkHint(link.email)} value={link.link} label={words.link} onClose={onClose} />
      ) : (
        <InviteForm onLink={setLink} onClose={onClose} />
      )}
    </Dialog>
  )
}

interface InviteProperties extends Closing {
  readonly onLink: (link: { readonly email: string; readonly link: string }) => void
}

const InviteForm = ({ onClose, onLink }: InviteProperties) => {
  const [typed, setTyped] = useState("")
  const [role, setRole] = useState<MemberRole>("member")
  const { auth } = text()
  const words = teamText()
  const email = typed.trim()
  const form = useSubmit(isEmail(email), async () => {
    const { link } = await post("/invitations", { email, role })
    if (link !== null) return onLink({ email, link })
    toast(words.sent(email))
    onClose()
  })
  return (
    <Form of={form} class="space-y-5">
      <Field
        label={auth.email}
        type="email"
        hint={words.emailHint}
        autoFocus
        autoComplete="off"
        maxLength={emailLengthMax}
        value={typed}
        problem={form.isTried && !isEmail(email) ? (email === "" ? auth.required : auth.badEmail) : undefined}
        onText={setTyped}
      />
      <RoleFields chosen={role} onChosen={setRole} />
      <FormActions form={form} action={words.send} onCancel={onClose} />
    </Form>
  )
}

interface RoleProperties {
  readonly chosen: MemberRole
  readonly onChosen: (role: MemberRole) => void
}

/** Only owners make owners. */
const RoleFields = ({ chosen, onChosen }: RoleProperties) => {
  const words = teamText()
  const isOwner = session.value?.person?.acting.role === "owner"
  return (
    <fieldset>
      <legend class="mb-1.5 text-sm font-medium">{words.role}</legend>
      <div class="space-y-2.5">
        {memberRoles
          .filter((role) => isOwner || role !== "owner")
          .toReversed()
          .map((role) => (
            <label key={role} class="flex items-start gap-2.5 text-sm">
              <input
                type="radio"
                name="role"
                class="mt-0.5 size-4 shrink-0"
                checked={chosen === role}
                onChange={() => onChosen(role)}
              />
              <span>
                <span class="block font-medium">{words.roles[role]}</span>
                <span class="block text-[0.8125rem] text-faint">{words.roleHints[role]}</span>
              </span>
            </label>
          ))}
      </div>
    </fieldset>
  )
}

export const ChangeRole = ({ of, onClose }: Closing & { readonly of: Member }) => {
  const [former] = useState<MemberRole>(of.role)
  const [role, setRole] = useState(former)
  const words = teamText()
  const form = useSubmit(true, async () => {
    // What was left as it is shown may be another by now.
    const asked = role === former ? undefined : post("/members/:id", { role }, { id: of.id })
    await tellDone(asked, words.changed, words.ended)
    onClose()
  })
  return (
    <Dialog title={words.changeTitle(of.name)} onClose={onClose}>
      <Form of={form} class="space-y-5">
        <RoleFields chosen={role} onChosen={setRole} />
        <FormActions form={form} action={words.save} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}

export const SetBudget = ({ of, onClose }: Closing & { readonly of: Member | FormerMember }) => {
  const [former] = useState(() => typedBudgetOf(of.budget ?? { budget_vnd: null, budget_period: null }))
  const [typed, setTyped] = useState(former)
  const words = teamText()
  const budget = budgetOf(typed.budget)
  const form = useSubmit(budget === undefined ? undefined : { budget }, async (whole) => {
    const body = { budget_vnd: whole.budget, budget_period: typed.period }
    const isChanged = changedFields(former, typed) !== undefined
    const asked = isChanged ? post("/members/:id/budget", body, { id: of.id }) : undefined
    await tellDone(asked, words.budgetSaved, words.ended)
    onClose()
  })
  return (
    <Dialog title={words.budgetTitle(of.name)} onClose={onClose}>
      <Form of={form} class="space-y-5">
        <p class="text-sm text-soft">
          {words.budgetIntro} {of.budget !== null && words.budgetSpent(money(of.budget.spent_vnd))}
        </p>
        <BudgetFields
          typed={typed}
          hint={words.budgetHint}
          isTried={form.isTried}
          autoFocus
          onTyped={setTyped}
        />
        <FormActions form={form} action={words.save} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}

export const RemoveMember = ({ of, onClose }: Closing & { readonly of: Member }) => {
  const [revokes, setRevokes] = useState(true)
  const words = teamText()
  return (
    <ConfirmEnd
      title={words.removeTitle(of.name)}
      hint={words.removeHint}
      action={words.remove}
      done={words.removed}
      gone={words.ended}
      end={() => post("/members/:id/remove", { revoke_keys: revokes }, { id: of.id })}
      onClose={onClose}
    >
      {of.active_keys > 0 && (
        <label class="flex items-start gap-2.5 text-sm">
          <input
            type="checkbox"
            class="mt-0.5 size-4 shrink-0"
            checked={revokes}
            onChange={({ currentTarget }) => setRevokes(currentTarget.checked)}
          />
          {words.revokeKeys(number(of.active_keys))}
        </label>
      )}
    </ConfirmEnd>
  )
}

export const WithdrawInvitation = ({ of, onClose }: Closing & { readonly of: Invitation }) => {
  const words = teamText()
  return (
    <ConfirmEnd
      title={words.withdrawTitle(of.email)}
      hint={words.withdrawHint}
      action={words.withdraw}
      done={words.withdrawn}
      gone={words.invitationOver}
      end={() => post("/invitations/:id/withdraw", {}, { id: of.id })}
      onClose={onClose}
    />
  )
}
