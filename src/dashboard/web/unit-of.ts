/** What a model's price is for, in words. */
import type { Model } from "./answers.ts"
import { text } from "./language.ts"

export const unitOf = ({ kind, unit }: Pick<Model, "kind" | "unit">): string => {
  const { models: words } = text()
  return { mtok: words.perMtok, request: kind === "image" ? words.perImage : words.perRequest }[unit]
}
