/** What there is to do until the first call, and what of it is done. */
import type { ComponentChildren } from "preact"
import type { Overview } from "../answers.ts"
import { Link } from "../components/Button.tsx"
import { Icon } from "../components/Icon.tsx"
import { Card } from "../components/Layout.tsx"
import { text } from "../language.ts"
import { mayOpen } from "../may.ts"

export const FirstSteps = ({ data }: { readonly data: Overview }) => {
  const { overview: words } = text()
  const hasMoney = data.balance_vnd !== "0" && !data.balance_vnd.startsWith("-")
  return (
    <Card title={words.firstSteps}>
      <ol class="grid gap-4 sm:grid-cols-3">
        <Step
          number={1}
          done={hasMoney}
          title={mayOpen("/topup") ? <Link to="/topup">{words.stepTopUp}</Link> : words.stepTopUp}
          hint={words.stepTopUpHint}
        />
        <Step
          number={2}
          done={data.active_keys > 0}
          title={<Link to="/keys?new=1">{words.stepKey}</Link>}
          hint={words.stepKeyHint}
        />
        <Step
          number={3}
          done={false}
          title={<Link to="/docs?try=1">{words.stepCall}</Link>}
          hint={words.stepCallHint}
        />
      </ol>
    </Card>
  )
}

const Step = (step: { number: number; done: boolean; title: ComponentChildren; hint: string }) => (
  <li class="flex gap-3">
    <span
      class={`flex size-7 shrink-0 items-center justify-center rounded-full text-sm font-semibold ${
        step.done ? "bg-accent text-on-accent" : "bg-sunken text-soft"
      }`}
    >
      {step.done ? <Icon name="check" size={16} /> : step.number}
    </span>
    <div>
      <p class="font-medium [&_a]:underline [&_a]:decoration-line-strong [&_a]:underline-offset-4">
        {step.title}
      </p>
      <p class="text-sm text-soft">{step.hint}</p>
    </div>
  </li>
)
