/** Why a form could not be sent, above its fields. */
import { ApiError, explain } from "../api.ts"
import { Icon } from "./Icon.tsx"

interface FormFailureProperties {
  readonly failure: unknown
  /** For what only this form meets, by code. */
  readonly words?: Readonly<Record<string, string>>
}

export const FormFailure = ({ failure, words }: FormFailureProperties) => (
  <p
    role="alert"
    class="flex items-start gap-2.5 rounded-lg bg-danger-soft px-3.5 py-2.5 text-sm text-danger"
  >
    <span class="mt-0.5">
      <Icon name="alert" size={16} />
    </span>
    {(failure instanceof ApiError && words?.[failure.code]) || explain(failure)}
  </p>
)
