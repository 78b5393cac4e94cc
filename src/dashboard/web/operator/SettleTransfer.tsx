/** What becomes of a transfer that is nobody's: whose it is, that it goes back, that it is put aside; or of one that is not whose it seemed. */
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { reasonLengthMax, referenceLengthMax } from "../../../domain/field-limits.ts"
import { ApiError, get, post } from "../api.ts"
import { Dialog } from "../components/Dialog.tsx"
import { FormActions } from "../components/FormActions.tsx"
import { Choice, Field } from "../components/Field.tsx"
import { Form } from "../components/Form.tsx"
import { Skeleton } from "../components/Layout.tsx"
import { toast } from "../components/Toasts.tsx"
import { money } from "../language.ts"
import { deskText } from "../text/desk.ts"
import { operatorText } from "../text/operator.ts"
import { useLoad } from "../use-load.ts"
import { useSubmit } from "../use-submit.ts"
import type { Transfer, TransferSuggestion } from "./answers.ts"

type Step = "assign" | "takeBack" | "return" | "dismiss" | "reopen"

const stepsOf = {
  unmatched: ["assign", "return", "dismiss"],
  credited: ["takeBack"],
  returning: ["return", "reopen"],
  returned: ["reopen"],
  dismissed: ["reopen"],
  ignored: []
} as const satisfies Readonly<Record<Transfer["status"], ReadonlyArray<Step>>>

const titleOf = (step: Step): string => {
  const { assignTitle, settleTitle, takeBackTitle } = operatorText().transfers
  return step === "assign" ? assignTitle : step === "takeBack" ? takeBackTitle : settleTitle
}

interface Properties {
  readonly transfer: Transfer
  readonly onClose: () => void
}

export const SettleTransfer = ({ transfer, onClose }: Properties) => {
  const steps: ReadonlyArray<Step> = stepsOf[transfer.status]
  const [step, setStep] = useState<Step>(steps[0]!)
  const { transfers: words } = operatorText()
  return (
    <Dialog title={titleOf(step)} onClose={onClose}>
      <div class="space-y-4">
        <p class="rounded-xl bg-sunken px-4 py-3">
          <span class="number block text-lg font-semibold">{money(transfer.amount_vnd)}</span>
          <span class="block text-sm break-words text-soft">{transfer.memo}</span>
          {transfer.sender_name !== "" && (
            <span class="block text-sm break-words text-soft">{transfer.sender_name}</span>
          )}
          {transfer.email !== null && (
            <span class="block text-sm wrap-anywhere text-soft">{words.creditedTo(transfer.email)}</span>
          )}
        </p>
        {steps.length > 1 && (
          <Choice
            label={words.settle}
            value={step}
            options={steps.map((option) => [option, words.steps[option]])}
            onChoose={setStep}
          />
        )}
        {step === "assign" ? (
          <Assign transfer={transfer} onClose={onClose} />
        ) : (
          <Close key={step} step={step} transfer={transfer} onClose={onClose} />
        )}
      </div>
    </Dialog>
  )
}

/** Once it is known whose it may be, so that nothing moves away from under a click. */
const Assign = ({ transfer, onClose }: Properties) => {
  const { id } = transfer
  const { data, isLoading } = useLoad(() => get("/operator/transfers/:id/suggestions", {}, { id }), [id])
  if (isLoading && data === undefined) return <Skeleton />
  return <AssignForm transfer={transfer} suggestions={data?.suggestions} onClose={onClose} />
}

interface AssignProperties extends Properties {
  /** `undefined` where they can not be had. */
  readonly suggestions: ReadonlyArray<TransferSuggestion> | undefined
}

const AssignForm = ({ suggestions, transfer, onClose }: AssignProperties) => {
  const [account, setAccount] = useState("")
  const [orderCode, setOrderCode] = useState<string>()
  const [reason, setReason] = useState("")
  /** The account that there is not. */
  const [unknown, setUnknown] = useState<string>()
  const { accounts, problems, transfers: words } = operatorText()
  const form = useSubmit(account.trim() !== "" && reason.trim() !== "", async () => {
    try {
      await post(
        "/operator/transfers/:id/assign",
        {
          account: account.trim(),
          reason: reason.trim(),
          ...(orderCode !== undefined && { order_code: orderCode })
        },
        { id: transfer.id }
      )
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.code !== "no_account") throw failure
      setUnknown(account)
      return
    }
    toast(words.assigned)
    onClose()
  })
  const problem = account === unknown ? problems.no_account : undefined
  const fields = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => fields.current?.querySelector("input")?.focus({ preventScroll: true }), [])
  const choose = (suggestion: TransferSuggestion) => {
    setAccount(suggestion.email)
    setOrderCode(suggestion.order_code ?? undefined)
    setReason(words.suggestedReason(reasonsOf(suggestion)))
  }
  return (
    <div ref={fields} class="space-y-4">
      {suggestions && <Suggestions of={suggestions} onChoose={choose} />}
      <Form of={form} class="space-y-4">
        <Field
          label={words.account}
          isExact
          autoComplete="off"
          value={account}
          problem={form.isTried && account.trim() === "" ? words.accountNeeded : problem}
          onText={(typed) => {
            setAccount(typed)
            // The order was another account's.
            setOrderCode(undefined)
          }}
        />
        <Reason value={reason} isTried={form.isTried} label={accounts.reason} onText={setReason} />
        <FormActions form={form} action={words.assign} onCancel={onClose} />
      </Form>
    </div>
  )
}

const reasonsOf = (suggestion: TransferSuggestion): string => {
  const { suggestionReasons } = operatorText().transfers
  return suggestion.reasons.map((reason) => suggestionReasons[reason]).join(", ")
}

const Suggestions = (properties: {
  readonly of: ReadonlyArray<TransferSuggestion>
  readonly onChoose: (suggestion: TransferSuggestion) => void
}) => {
  const { of: suggestions, onChoose } = properties
  const { transfers: words } = operatorText()
  if (suggestions.length === 0) return <p class="text-sm text-soft">{words.noSuggestions}</p>
  return (
    <div role="group" aria-label={words.suggestions}>
      <p class="mb-1.5 text-sm text-soft">{words.suggestions}</p>
      <ul class="divide-y divide-line rounded-xl border border-line">
        {suggestions.map((suggestion) => (
          <li key={suggestion.account_id}>
            <button
              type="button"
              class="block w-full px-4 py-2.5 text-left enabled:hover:bg-sunken"
              disabled={suggestion.is_closed}
              onClick={() => onChoose(suggestion)}
            >
              <span class="block font-medium wrap-anywhere">{suggestion.email}</span>
              <span class="block text-sm wrap-anywhere text-soft">
                {[suggestion.name, suggestion.company, suggestion.order_code ?? ""]
                  .filter((part) => part !== "")
                  .join(" · ")}
              </span>
              <span class="block text-xs text-faint">{reasonsOf(suggestion)}</span>
              {suggestion.is_closed && <span class="badge badge-bad">{deskText().customer.closed}</span>}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

const Close = (properties: Properties & { readonly step: Exclude<Step, "assign"> }) => {
  const { onClose, step, transfer } = properties
  const [reason, setReason] = useState("")
  const [reference, setReference] = useState("")
  const { accounts, transfers: words } = operatorText()
  const form = useSubmit(reason.trim() !== "", async () => {
    const said = { reason: reason.trim() }
    const { account_id, id } = transfer
    let done = words.settled
    if (step === "takeBack") {
      const sent = { ...said, account_id: account_id ?? "" }
      const { invoiced } = await post("/operator/transfers/:id/take-back", sent, { id })
      done = invoiced ? words.takenBackInvoiced : words.takenBack
    } else if (step === "return")
      await post("/operator/transfers/:id/return", { ...said, reference: reference.trim() }, { id })
    else if (step === "dismiss") await post("/operator/transfers/:id/dismiss", said, { id })
    else await post("/operator/transfers/:id/reopen", said, { id })
    toast(done)
    onClose()
  })
  return (
    <>
      <p class="text-sm text-soft">{words.stepHints[step]}</p>
      <Form of={form} class="space-y-4">
        <Reason value={reason} isTried={form.isTried} label={accounts.reason} onText={setReason} />
        {step === "return" && (
          <Field
            label={words.reference}
            hint={words.referenceHint}
            isExact
            maxLength={referenceLengthMax}
            autoComplete="off"
            value={reference}
            onText={setReference}
          />
        )}
        <FormActions form={form} action={words.steps[step]} onCancel={onClose} />
      </Form>
    </>
  )
}

const Reason = (properties: {
  readonly value: string
  readonly label: string
  readonly isTried: boolean
  readonly onText: (typed: string) => void
}) => (
  <Field
    label={properties.label}
    maxLength={reasonLengthMax}
    value={properties.value}
    problem={
      properties.isTried && properties.value.trim() === "" ? operatorText().accounts.reasonNeeded : undefined
    }
    onText={properties.onText}
  />
)
