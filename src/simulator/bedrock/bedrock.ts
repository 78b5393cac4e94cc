/** What Converse and InvokeModel have in common. */
import { isMissing } from "../models.ts"
import type { Call, Complaint, Protocol } from "../Protocol.ts"
import { authenticate } from "./authenticate.ts"
import { refuse } from "./refuse.ts"

/** The model's name stands in the path. */
const modelOf = ({ path }: Call): string => decodeURIComponent(/\/model\/([^/]+)\//.exec(path)?.[1] ?? "")

export const bedrock: Pick<Protocol, "refuse" | "overloaded" | "authenticate" | "model"> = {
  refuse,
  overloaded: 503,
  authenticate,
  model: modelOf
}

export const isUnknown = (model: string): boolean => model === "" || isMissing(model)

export const unknownModel: Complaint = { message: "The provided model identifier is invalid." }
