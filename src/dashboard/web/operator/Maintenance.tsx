/** The maintenance switch, and what customers are told. */
import { useState } from "preact/hooks"
import { noticeLengthMax } from "../../../domain/maintenance.ts"
import { isWithinYear, vietnamOffset, vietnamText } from "../../../domain/vietnam-days.ts"
import { post } from "../api.ts"
import { changedFields } from "../changed-fields.ts"
import { Button } from "../components/Button.tsx"
import { Dialog } from "../components/Dialog.tsx"
import { FormActions } from "../components/FormActions.tsx"
import { Field } from "../components/Field.tsx"
import { Form } from "../components/Form.tsx"
import { toast } from "../components/Toasts.tsx"
import { dateTime } from "../language.ts"
import { may } from "../may.ts"
import { loadSession } from "../session.ts"
import { maintenanceText } from "../text/maintenance.ts"
import { operatorText } from "../text/operator.ts"
import { useSubmit } from "../use-submit.ts"
import type { Notice } from "./answers.ts"

interface MaintenanceProperties {
  readonly isOn: boolean
  readonly notice: Notice | null
  readonly onChanged: () => void
}

export const Maintenance = ({ isOn, notice, onChanged }: MaintenanceProperties) => {
  const [asking, setAsking] = useState<"switch" | "announce">()
  const { service: words } = operatorText()
  const close = () => {
    setAsking(undefined)
    onChanged()
    // The banner above this page, too.
    loadSession().catch(() => {})
  }
  return (
    <section
      aria-label={words.maintenance}
      class={`card space-y-4 p-5 ${isOn ? "!border-warn !bg-warn-soft" : ""}`}
    >
      <div class="flex flex-wrap items-center justify-between gap-4">
        <p class="flex items-center gap-3">
          <span
            class={`size-2.5 rounded-full forced-color-adjust-none ${isOn ? "bg-warn" : "bg-accent"}`}
            aria-hidden="true"
          />
          <span class="font-medium">{isOn ? words.maintenanceOn : words.maintenanceOff}</span>
        </p>
        {may("run") && (
          <div class="flex flex-wrap gap-2">
            <Button onClick={() => setAsking("switch")}>{isOn ? words.turnOff : words.turnOn}</Button>
            <Button onClick={() => setAsking("announce")}>
              {notice === null ? maintenanceText().announce : maintenanceText().change}
            </Button>
          </div>
        )}
      </div>
      {notice !== null && <Said notice={notice} />}
      {asking === "switch" &&
        (isOn ? <TurnOff onClose={close} /> : <TurnOn notice={notice} onClose={close} />)}
      {asking === "announce" && <Announce notice={notice} onClose={close} />}
    </section>
  )
}

const Said = ({ notice: { en, until, vi } }: { readonly notice: Notice }) => (
  <div class="text-sm wrap-anywhere">
    <p class="text-soft">{maintenanceText().shown}</p>
    <p lang="vi">{vi}</p>
    {en !== null && <p lang="en">{en}</p>}
    {until !== null && <p class="number text-soft">{maintenanceText().until(dateTime(until))}</p>}
  </div>
)

interface DialogProperties {
  readonly notice: Notice | null
  readonly onClose: () => void
}

const TurnOn = ({ notice, onClose }: DialogProperties) => {
  const { service: words } = operatorText()
  const typed = useTyped(notice)
  const form = useSubmit(typed.isGood, async () => {
    // What was left as it is shown may be another by now, and stays.
    await post("/operator/maintenance", { on: true, ...(typed.isChanged && { notice: typed.notice }) })
    onClose()
  })
  return (
    <Dialog title={words.turnOnAsk} onClose={onClose}>
      <Form of={form} class="space-y-4">
        <p class="text-soft">{words.turnOnHint}</p>
        <NoticeFields typed={typed} isTried={form.isTried} />
        <FormActions form={form} action={words.turnOn} onCancel={onClose} isFinal />
      </Form>
    </Dialog>
  )
}

const TurnOff = ({ onClose }: { readonly onClose: () => void }) => {
  const { service: words } = operatorText()
  const form = useSubmit(true, async () => {
    await post("/operator/maintenance", { on: false })
    onClose()
  })
  return (
    <Dialog title={words.turnOff} onClose={onClose}>
      <Form of={form}>
        <p class="text-soft">{words.turnOffHint}</p>
        <FormActions form={form} action={words.turnOff} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}

/** Maintenance stays on, or off. */
const Announce = ({ notice, onClose }: DialogProperties) => {
  const words = maintenanceText()
  const typed = useTyped(notice)
  const isSaid = notice !== null || typed.notice !== null
  const form = useSubmit(typed.isGood && isSaid, async () => {
    if (typed.isChanged) await post("/operator/notice", { notice: typed.notice })
    toast(words.saved)
    onClose()
  })
  return (
    <Dialog title={notice === null ? words.announce : words.change} onClose={onClose}>
      <Form of={form} class="space-y-4">
        <NoticeFields typed={typed} isTried={form.isTried} isNeeded={notice === null} />
        {notice !== null && <p class="text-sm text-soft">{words.emptyHint}</p>}
        <FormActions form={form} action={words.save} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}

interface FieldsProperties {
  readonly typed: ReturnType<typeof useTyped>
  readonly isTried: boolean
  readonly isNeeded?: boolean
}

const NoticeFields = ({ isNeeded = false, isTried, typed }: FieldsProperties) => {
  const words = maintenanceText()
  const isMissing = typed.vi.trim() === "" && (isNeeded || typed.isIncomplete)
  return (
    <>
      <Field
        label={words.message}
        hint={words.messageHint}
        autoComplete="off"
        maxLength={noticeLengthMax}
        value={typed.vi}
        problem={isTried && isMissing ? words.messageNeeded : undefined}
        onText={typed.setVi}
      />
      <Field
        label={words.messageEn}
        hint={words.messageEnHint}
        autoComplete="off"
        maxLength={noticeLengthMax}
        value={typed.en}
        onText={typed.setEn}
      />
      <Field
        label={words.untilField}
        hint={words.untilHint}
        type="datetime-local"
        value={typed.until}
        problem={isTried && !typed.isAhead ? words.untilBad : undefined}
        onText={typed.setUntil}
      />
    </>
  )
}

/** A field of date and time says it without a zone: it is Viet Nam's. */
const useTyped = (from: Notice | null) => {
  const [former] = useState(() => ({
    vi: from?.vi ?? "",
    en: from?.en ?? "",
    until: from?.until ? vietnamText(from.until).slice(0, 16).replace(" ", "T") : ""
  }))
  const [vi, setVi] = useState(former.vi)
  const [en, setEn] = useState(former.en)
  const [until, setUntil] = useState(former.until)
  const isChanged = changedFields(former, { vi, en, until }) !== undefined
  const untilMs = until === "" ? null : Date.parse(`${until.slice(0, 16)}:00${vietnamOffset}`)
  const isAhead = untilMs === null || isWithinYear(untilMs, Date.now())
  const isSaid = vi.trim() !== ""
  const isIncomplete = !isSaid && from === null && (en.trim() !== "" || until !== "")
  const notice = isSaid ? { vi, en: en.trim() === "" ? null : en, until: untilMs } : null
  const isGood = !isIncomplete && (isAhead || !isSaid)
  return { vi, setVi, en, setEn, until, setUntil, isAhead, isChanged, isGood, isIncomplete, notice }
}
