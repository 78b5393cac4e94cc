/** The model that a provider means by a name of its own, among those that are sold by the token. */
import type { Model } from "../domain/catalogue.ts"
import type { Price } from "../domain/price.ts"
import type { Sold } from "./Call.ts"

export type TokenModel = Model & { readonly price: Extract<Price, { _tag: "PerToken" }> }

const isByToken = (model: Model): model is TokenModel =>
  model.price._tag === "PerToken" && model.kind === "chat"

/** The called model's own provider and channel come first: the same model may be sold over several. */
export const findOtherModel = (
  { models }: Pick<Sold, "models">,
  called: Model,
  name: string
): TokenModel | undefined => {
  const names = new Set([name, name.replace(/-\d{8}$/, "")])
  const named = models
    .filter(isByToken)
    .filter(({ id, upstream }) => names.has(upstream.model) || names.has(id))
  return (
    named.find(
      ({ channel, upstream }) => channel === called.channel && upstream.provider === called.upstream.provider
    ) ??
    named.find(({ upstream }) => upstream.provider === called.upstream.provider) ??
    named[0]
  )
}
