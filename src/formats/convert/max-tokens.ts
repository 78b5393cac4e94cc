/** How long an answer may become, as it is written where it was asked for in other words. */
import type { Model } from "../../domain/catalogue.ts"
import { responsesCapMin } from "../responses/request.ts"

// What models take whose catalogue record has no maximum.
const messagesDefault = 4_096

/** What was asked for, as far as the model goes. */
export const withinModel = (asked: number, { maxOutputTokens }: Model): number =>
  Math.min(asked, maxOutputTokens ?? asked)

/** Messages must say it. */
export const messagesMaxTokens = (asked: number | undefined, model: Model): number =>
  withinModel(asked ?? model.maxOutputTokens ?? messagesDefault, model)

export const responsesMaxTokens = (asked: number, model: Model): number =>
  Math.max(withinModel(asked, model), responsesCapMin)
