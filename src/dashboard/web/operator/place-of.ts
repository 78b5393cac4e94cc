/** Where what was found is looked at. */
import type { Hit } from "./answers.ts"

export const placeOf = ({ account, id, kind }: Hit): string =>
  account === null
    ? "/operator/transfers"
    : `/operator/account?${new URLSearchParams({ id: account.id, ...viewOf(kind, id) })}`

const viewOf = (kind: Hit["kind"], id: string): Readonly<Record<string, string>> => {
  if (kind === "call") return { view: "usage", call: id }
  if (kind === "key") return { view: "keys" }
  return kind === "order" || kind === "transfer" ? { view: "statement" } : {}
}
