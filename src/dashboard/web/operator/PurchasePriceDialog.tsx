/** Enters what a provider is paid for a model from a day on. */
import { useId, useState } from "preact/hooks"
import { readTypedDecimal } from "../../../domain/typed-decimal.ts"
import { dayText } from "../../../domain/vietnam-days.ts"
import { get, post } from "../api.ts"
import { Dialog } from "../components/Dialog.tsx"
import { FormActions } from "../components/FormActions.tsx"
import { Field, SelectField } from "../components/Field.tsx"
import { Form } from "../components/Form.tsx"
import { toast } from "../components/Toasts.tsx"
import { marginText } from "../text/margin.ts"
import { useLoad } from "../use-load.ts"
import { useSubmit } from "../use-submit.ts"

const amounts = ["input", "output", "cache_read", "cache_write", "per_request"] as const
type Amount = (typeof amounts)[number]

const labels = {
  input: "input",
  output: "output",
  cache_read: "cacheRead",
  cache_write: "cacheWrite",
  per_request: "perRequest"
} as const

/** What is left empty of caches is as the input, of all else nothing. */
const amountOf = (name: Amount, typed: string): string | null | undefined =>
  typed.trim() === "" ? (name.startsWith("cache") ? null : "0") : readTypedDecimal(typed)

/** `web_search 0.01; code_execution 0.03` */
const toolsOf = (typed: string): Readonly<Record<string, string>> | undefined => {
  const parts = typed.split(";").filter((part) => part.trim() !== "")
  const read = parts.map((part) => {
    const [name = "", price = "", ...more] = part.trim().split(/\s+/)
    const amount = readTypedDecimal(price)
    return /^[a-z][a-z0-9_.-]{0,63}$/.test(name) && amount !== undefined && more.length === 0
      ? ([name, amount] as const)
      : undefined
  })
  const whole = read.filter((each) => each !== undefined)
  return whole.length === read.length ? Object.fromEntries(whole) : undefined
}

const empty: Readonly<Record<Amount, string>> = {
  input: "",
  output: "",
  cache_read: "",
  cache_write: "",
  per_request: ""
}

const isCodeOf = (currency: string) => /^[A-Z]{3}$/.test(currency)

interface Typed {
  readonly model: string
  readonly route: string
  readonly currency: string
  readonly amounts: Readonly<Record<Amount, string>>
  readonly tools: string
  readonly from: string
}

/** What the form says, once it says all. */
const wholeOf = ({ amounts: typed, currency, from, model, route, tools: typedTools }: Typed) => {
  const [input, output, cacheRead, cacheWrite, perRequest] = amounts.map((name) =>
    amountOf(name, typed[name])
  )
  const tools = toolsOf(typedTools)
  const code = currency.trim().toUpperCase()
  const isWhole = model.trim() !== "" && isCodeOf(code) && isSet(typed) && from !== ""
  if (!isWhole || tools === undefined) return undefined
  if (input == null || output == null || perRequest == null) return undefined
  if (cacheRead === undefined || cacheWrite === undefined) return undefined
  return {
    route,
    model: model.trim(),
    currency: code,
    input,
    output,
    cache_read: cacheRead,
    cache_write: cacheWrite,
    per_request: perRequest,
    tools,
    from
  }
}

const isSet = (typed: Typed["amounts"]) => Object.values(typed).some((each) => each.trim() !== "")

export const PurchasePriceDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const [typed, setTyped] = useState<Typed>(() => ({
    model: "",
    route: "*",
    currency: "USD",
    amounts: empty,
    tools: "",
    from: dayText(Date.now())
  }))
  const words = marginText().purchase
  const form = useSubmit(wholeOf(typed), async (price) => {
    await post("/operator/purchase-prices", price)
    toast(words.saved)
    onClose()
  })
  const problem = (isGood: boolean, told: string) => (form.isTried && !isGood ? told : undefined)
  const change = (name: keyof Typed) => (text: string) => setTyped({ ...typed, [name]: text })
  return (
    <Dialog title={words.add} onClose={onClose}>
      <Form of={form} class="space-y-4">
        <ModelField
          value={typed.model}
          problem={problem(typed.model.trim() !== "", words.needed)}
          onText={change("model")}
        />
        <RouteSelect value={typed.route} onText={change("route")} />
        <Field
          label={words.currency}
          hint={words.currencyHint}
          maxLength={3}
          autoComplete="off"
          value={typed.currency}
          problem={problem(isCodeOf(typed.currency.trim().toUpperCase()), words.currencyHint)}
          onText={change("currency")}
        />
        <AmountFields
          value={typed.amounts}
          problem={problem}
          onChange={(changed) => setTyped({ ...typed, amounts: changed })}
        />
        <Field
          label={words.tools}
          isExact
          hint={words.toolsHint}
          autoComplete="off"
          value={typed.tools}
          problem={problem(toolsOf(typed.tools) !== undefined, words.toolsBad)}
          onText={change("tools")}
        />
        <Field
          label={words.from}
          type="date"
          hint={words.fromHint}
          value={typed.from}
          problem={problem(typed.from !== "", words.needed)}
          onText={change("from")}
        />
        <FormActions form={form} action={words.save} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}

const AmountFields = (properties: {
  readonly value: Typed["amounts"]
  readonly problem: (isGood: boolean, told: string) => string | undefined
  readonly onChange: (value: Typed["amounts"]) => void
}) => {
  const { onChange, problem, value } = properties
  const words = marginText().purchase
  return (
    <div class="grid gap-4 sm:grid-cols-2">
      {amounts.map((name) => (
        <Field
          key={name}
          label={words[labels[name]]}
          hint={name.startsWith("cache") ? words.asInput : undefined}
          inputMode="decimal"
          autoComplete="off"
          value={value[name]}
          problem={
            problem(amountOf(name, value[name]) !== undefined, words.bad) ??
            (name === "input" ? problem(isSet(value), words.needed) : undefined)
          }
          onText={(amount) => onChange({ ...value, [name]: amount })}
        />
      ))}
    </div>
  )
}

/** Models that are sold no longer can be typed as well. */
const ModelField = (properties: {
  readonly value: string
  readonly problem: string | undefined
  readonly onText: (text: string) => void
}) => {
  const id = useId()
  const models = useLoad(() => get("/operator/models"), [])
  return (
    <>
      <Field
        label={marginText().purchase.model}
        isExact
        list={id}
        autoComplete="off"
        autoFocus
        maxLength={200}
        {...properties}
      />
      <datalist id={id}>
        {models.data?.models.map((model) => (
          <option key={model.id} value={model.id} />
        ))}
      </datalist>
    </>
  )
}

const RouteSelect = (properties: { readonly value: string; readonly onText: (text: string) => void }) => {
  const list = useLoad(() => get("/operator/routes"), [])
  const words = marginText().purchase
  return (
    <SelectField
      label={words.route}
      {...properties}
      options={[["*", words.everyRoute], ...(list.data?.routes ?? []).map(({ id }) => [id, id] as const)]}
    />
  )
}
