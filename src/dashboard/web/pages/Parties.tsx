/** Who issues a paper and whom it is made out to; the customer's side can be edited. */
import { useState } from "preact/hooks"
import { addressLengthMax, companyLengthMax, emailLengthMax } from "../../../domain/field-limits.ts"
import { isTaxCode, typedTaxCode } from "../../../domain/tax-code.ts"
import { typedEmail } from "../../../domain/typed-text.ts"
import { get, post } from "../api.ts"
import { changedFields } from "../changed-fields.ts"
import { Button } from "../components/Button.tsx"
import { Dialog } from "../components/Dialog.tsx"
import { FormActions } from "../components/FormActions.tsx"
import { Field } from "../components/Field.tsx"
import { Form } from "../components/Form.tsx"
import { Card, Show } from "../components/Layout.tsx"
import { toast } from "../components/Toasts.tsx"
import { isEmail } from "../is-email.ts"
import { text } from "../language.ts"
import { session } from "../session.ts"
import type { Billing, Party } from "../answers.ts"
import { statementText } from "../text/statement.ts"
import { useLoad } from "../use-load.ts"
import { useSubmit } from "../use-submit.ts"

export const Parties = () => {
  const billing = useLoad(() => get("/billing"), [])
  const [isEditing, setEditing] = useState(false)
  const words = statementText()
  return (
    <Card
      title={words.parties}
      aside={
        <Button look="quiet" small onClick={() => setEditing(true)} disabled={billing.data === undefined}>
          {words.edit}
        </Button>
      }
    >
      <Show of={billing} rows={2}>
        {({ details, issuer }) => (
          <>
            <div class="-mt-1 grid gap-x-10 gap-y-4 sm:grid-cols-2 print:grid-cols-2">
              <PartyLines title={words.issuer} party={issuer} empty={words.noIssuer} />
              <PartyLines
                title={words.customer}
                party={details}
                empty={words.noCustomer}
                account={session.value?.person?.email}
              />
            </div>
            {isEditing && (
              <EditDetails
                details={details}
                onClose={() => setEditing(false)}
                onSaved={() => {
                  setEditing(false)
                  billing.reload()
                }}
              />
            )}
          </>
        )}
      </Show>
    </Card>
  )
}

interface PartyProperties {
  readonly title: string
  readonly party: Party
  readonly empty: string
  readonly account?: string | undefined
}

const PartyLines = ({ account, empty, party, title }: PartyProperties) => {
  const words = statementText()
  const isEmpty = party.company === "" && party.tax_code === "" && party.address === ""
  return (
    <div class="min-w-0 text-sm wrap-anywhere">
      <p class="text-faint">{title}</p>
      {party.company && <p class="font-medium">{party.company}</p>}
      {party.tax_code && (
        <p class="number">
          {words.taxCode}: {party.tax_code}
        </p>
      )}
      {party.address && <p>{party.address}</p>}
      {account && <p>{account}</p>}
      {isEmpty && <p class="text-soft print:hidden!">{empty}</p>}
    </div>
  )
}

/** The forms that the server takes, too. */
const isTaxCodeOrNone = (value: string) => value === "" || isTaxCode(value)

interface EditProperties {
  readonly details: Billing["details"]
  readonly onClose: () => void
  readonly onSaved: () => void
}

const EditDetails = ({ details, onClose, onSaved }: EditProperties) => {
  const [former] = useState(details)
  const [value, setValue] = useState(details)
  const words = statementText()
  const { auth } = text()
  const change = (name: keyof typeof value) => (typed: string) => setValue({ ...value, [name]: typed })
  const taxCode = typedTaxCode(value.tax_code)
  const email = typedEmail(value.email)
  const isGoodEmail = email === "" || isEmail(email)
  const form = useSubmit(isTaxCodeOrNone(taxCode) && isGoodEmail, async () => {
    await post("/billing", changedFields(former, { ...value, tax_code: taxCode, email }) ?? {})
    toast(words.saved)
    onSaved()
  })
  return (
    <Dialog title={words.edit} onClose={onClose}>
      <Form of={form} class="space-y-4">
        <Field
          label={words.company}
          autoComplete="organization"
          maxLength={companyLengthMax}
          value={value.company}
          onText={change("company")}
        />
        <Field
          label={words.taxCode}
          hint={words.taxCodeHint}
          inputMode="numeric"
          autoComplete="off"
          maxLength={20}
          value={value.tax_code}
          problem={form.isTried && !isTaxCodeOrNone(taxCode) ? words.taxCodeBad : undefined}
          onText={change("tax_code")}
        />
        <Field
          label={words.address}
          autoComplete="street-address"
          maxLength={addressLengthMax}
          value={value.address}
          onText={change("address")}
        />
        <Field
          label={words.email}
          type="email"
          autoComplete="email"
          maxLength={emailLengthMax}
          value={value.email}
          problem={form.isTried && !isGoodEmail ? auth.badEmail : undefined}
          onText={change("email")}
        />
        <FormActions form={form} action={words.save} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}
