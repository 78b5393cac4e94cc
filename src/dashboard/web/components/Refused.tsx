/** Why calls were refused for want of money, and what is on hold: of oneself, or of a customer. */
import type { ComponentChildren } from "preact"
import type { OutlookAnswer } from "../answers.ts"
import { ago, language, number } from "../language.ts"
import { usePapers } from "../papers.tsx"
import { outlookText } from "../text/outlook.ts"
import { Link } from "./Button.tsx"
import { Icon } from "./Icon.tsx"
import { Money } from "./Layout.tsx"

type RefusedAnswer = NonNullable<OutlookAnswer["refused"]>
type Reason = RefusedAnswer["keys"][number]["reason"]

const whyRefused = (reason: Reason) => {
  const { becauseBalance, becauseBudget, becauseMemberBudget } = outlookText()
  return { balance: becauseBalance, budget: becauseBudget, member_budget: becauseMemberBudget }[reason]
}

const keysShown = 5

interface RefusedProperties {
  readonly refused: RefusedAnswer
  /** What may be done about it. */
  readonly children?: ComponentChildren
  readonly more?: ComponentChildren
}

export const RefusedCalls = ({ children, more, refused }: RefusedProperties) => {
  const words = outlookText()
  const { usageAt } = usePapers()
  return (
    <section class="card border-danger/40 px-5 py-4" aria-label={words.refusedTitle(number(refused.calls))}>
      <div class="flex gap-3">
        <span class="mt-0.5 shrink-0 text-danger">
          <Icon name="alert" size={20} />
        </span>
        <div class="min-w-0 flex-1 space-y-2">
          <h2 class="font-semibold">{words.refusedTitle(number(refused.calls))}</h2>
          <p class="text-sm text-soft" key={language.value}>
            {words.refusedSince(ago(refused.first), ago(refused.last))}
          </p>
          <ul class="space-y-1 text-sm">
            {refused.keys.slice(0, keysShown).map(({ calls, key_id, key_name, reason }) => (
              <li key={key_id}>
                <span class="font-medium">{key_name}</span>: {whyRefused(reason)(number(calls))}
              </li>
            ))}
          </ul>
          <div class="flex flex-wrap items-center gap-2 pt-1">
            {children}
            <Link
              to={usageAt({ period: "day", outcome: "402" })}
              class="text-sm text-soft underline-offset-4 hover:text-ink hover:underline"
            >
              {words.seeCalls}
            </Link>
          </div>
        </div>
      </div>
      {more}
    </section>
  )
}

/** What is on hold, and how long the rest lasts. */
export const Ahead = ({ data }: { readonly data: OutlookAnswer }) => {
  const words = outlookText()
  return (
    <p class="flex flex-wrap gap-x-5 gap-y-1 text-sm text-soft">
      {data.held_vnd !== null && (
        <span title={words.heldHint}>
          {words.held} <Money vnd={data.held_vnd} class="font-medium text-ink" />
        </span>
      )}
      {data.days_left !== null && (
        <span title={words.daysLeftHint}>
          {words.daysLeft}{" "}
          <span class="number font-medium text-ink">{words.days(number(data.days_left))}</span>
        </span>
      )}
    </p>
  )
}
