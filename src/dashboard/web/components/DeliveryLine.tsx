/** One alert that was sent, or is to be, and how that went. */
import type { ComponentChildren } from "preact"
import type { Delivery } from "../answers.ts"
import { ago, dateTime } from "../language.ts"
import { alertsText, outcomeText } from "../text/alerts.ts"

const looks = { pending: "badge badge-warn", delivered: "badge badge-good", given_up: "badge badge-bad" }

interface DeliveryLineProperties {
  readonly of: Delivery
  /** Where it is not told by how long ago that was. */
  readonly when?: string
  readonly children?: ComponentChildren
}

export const DeliveryLine = ({ children, of, when = ago(of.created_at) }: DeliveryLineProperties) => {
  const words = alertsText()
  const kinds: Readonly<Record<string, string>> = { ...words.kinds, test: words.testKind }
  const facts = [
    ...(of.attempts > 0 ? [words.attempts(of.attempts)] : []),
    ...(of.outcome === "" ? [] : [outcomeText(of.outcome)]),
    ...(of.status === "pending" && of.attempts > 0 && of.next_at !== null
      ? [words.next(dateTime(of.next_at))]
      : [])
  ]
  return (
    <li class="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-5 py-3 text-sm">
      <div class="min-w-0 flex-1 basis-64">
        <p class="font-medium">
          {kinds[of.kind] ?? of.kind}{" "}
          <span class={`${looks[of.status]} ml-2`}>{words.status[of.status]}</span>
        </p>
        <p class="truncate text-soft" title={of.address}>
          {of.address}
        </p>
        <p class="text-[0.8125rem] text-faint" title={of.alert}>
          {[when, ...facts].join(" · ")}
        </p>
      </div>
      {children}
    </li>
  )
}
