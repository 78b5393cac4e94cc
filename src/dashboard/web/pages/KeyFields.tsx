/** The fields of what may be set on a key. */
import { type Endpoint, endpointNames } from "../../../domain/call.ts"
import { nameLengthMax } from "../../../domain/field-limits.ts"
import { Field } from "../components/Field.tsx"
import { text } from "../language.ts"
import { keysText } from "../text/keys.ts"
import { BudgetFields } from "./BudgetFields.tsx"
import { limitOf, type TypedSettings } from "./key-settings.ts"

interface KeyFieldsProperties {
  readonly typed: TypedSettings
  readonly isTried: boolean
  readonly onTyped: (typed: TypedSettings) => void
}

export const NameField = ({ isTried, onTyped, typed }: KeyFieldsProperties) => {
  const words = keysText()
  return (
    <Field
      label={words.name}
      hint={words.nameHint}
      value={typed.name}
      maxLength={nameLengthMax}
      autoFocus
      problem={isTried && typed.name.trim() === "" ? text().auth.required : undefined}
      onText={(name) => onTyped({ ...typed, name })}
    />
  )
}

export const LimitFields = ({ isTried, onTyped, typed }: KeyFieldsProperties) => {
  const words = keysText()
  return (
    <div class="space-y-5">
      <BudgetFields
        typed={typed}
        hint={words.budgetHint}
        isTried={isTried}
        onTyped={(budget) => onTyped({ ...typed, ...budget })}
      />
      <Field
        label={words.limit}
        hint={words.limitHint}
        value={typed.limit}
        inputMode="numeric"
        problem={isTried && limitOf(typed.limit) === undefined ? words.limitBad : undefined}
        onText={(limit) => onTyped({ ...typed, limit })}
      />
      <Field
        label={words.models}
        hint={words.modelsHint}
        isExact
        value={typed.models}
        onText={(models) => onTyped({ ...typed, models })}
      />
      <Endpoints typed={typed} onTyped={onTyped} />
      <Field
        label={words.addresses}
        hint={words.addressesHint}
        isExact
        value={typed.addresses}
        onText={(addresses) => onTyped({ ...typed, addresses })}
      />
      <Field
        label={words.lastDay}
        hint={words.lastDayHint}
        type="date"
        value={typed.lastDay}
        onText={(lastDay) => onTyped({ ...typed, lastDay })}
      />
    </div>
  )
}

const Endpoints = ({ onTyped, typed }: Pick<KeyFieldsProperties, "typed" | "onTyped">) => {
  const words = keysText()
  const choose = (name: Endpoint, chosen: boolean) => {
    const others = typed.endpoints.filter((each) => each !== name)
    onTyped({ ...typed, endpoints: chosen ? [...others, name] : others })
  }
  return (
    <fieldset>
      <legend class="mb-1.5 text-sm font-medium">{words.endpoints}</legend>
      <div class="flex flex-wrap gap-x-4 gap-y-2">
        {endpointNames.map((name) => (
          <label key={name} class="flex items-center gap-2 text-sm">
            <input
              type="checkbox"
              checked={typed.endpoints.includes(name)}
              onChange={(event) => choose(name, event.currentTarget.checked)}
            />
            <code>{name}</code>
          </label>
        ))}
      </div>
      <p class="mt-1.5 text-[0.8125rem] text-faint">{words.endpointsHint}</p>
    </fieldset>
  )
}
