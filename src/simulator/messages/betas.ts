/** The betas that a call asks for, each of which opens some fields. */
import { listOf } from "../../formats/json/json.ts"
import type { Request } from "../Protocol.ts"

/** In the header, or on Bedrock in the body. */
export const betasOf = ({ body, call }: Request): string =>
  [call.headers["anthropic-beta"] ?? "", ...listOf(body["anthropic_beta"])].join(",")
