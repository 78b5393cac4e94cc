/** Why a form could not be sent, above its fields. */
import { explain } from "../api.ts"
import { Icon } from "./Icon.tsx"

/** Below a long form is the button that was pressed. */
const show = (element: Element | null) => element?.scrollIntoView({ block: "nearest" })

export const FormFailure = ({ failure }: { readonly failure: unknown }) => (
  <p
    ref={show}
    role="alert"
    class="flex items-start gap-2.5 rounded-lg bg-danger-soft px-3.5 py-2.5 text-sm text-danger"
  >
    <span class="mt-0.5">
      <Icon name="alert" size={16} />
    </span>
    {explain(failure)}
  </p>
)
