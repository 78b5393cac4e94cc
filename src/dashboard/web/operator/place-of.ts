/** Where what was found is looked at. */
import { dayText } from "../../../domain/vietnam-days.ts"
import type { Hit } from "./answers.ts"

export const placeOf = ({ account, at, id, kind }: Hit): string =>
  account === null
    ? `/operator/transfers?${new URLSearchParams({ id })}`
    : `/operator/account?${new URLSearchParams({ id: account.id, ...viewOf({ at, id, kind }) })}`

const viewOf = ({ at, id, kind }: Pick<Hit, "at" | "id" | "kind">): Readonly<Record<string, string>> => {
  if (kind === "call") return { view: "usage", call: id }
  if (kind === "key") return { view: "keys" }
  if (kind !== "order" && kind !== "transfer") return {}
  // Up to today, since an order may be paid later; a bank's clock may be ahead of ours.
  return { view: "statement", period: "custom", from: dayText(Math.min(at, Date.now())) }
}
