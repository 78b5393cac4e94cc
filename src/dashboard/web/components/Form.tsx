/** A form, and why it could not be sent. */
import type { ComponentChildren } from "preact"
import { explain } from "../api.ts"
import type { Submission } from "../use-submit.ts"
import { Icon } from "./Icon.tsx"

interface FormProperties {
  readonly of: Pick<Submission, "failure" | "submit">
  readonly class?: string
  readonly children: ComponentChildren
}

export const Form = ({ children, class: look, of: { failure, submit } }: FormProperties) => (
  <form noValidate class={look} onSubmit={submit}>
    {failure !== undefined && <FormFailure failure={failure} />}
    {children}
  </form>
)

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
