/** A Messages request as Claude takes it on Bedrock: the bytes of a client that speaks Messages go up with edits spliced in. */
import { Result } from "effect"
import { filesAtHand } from "../../images/file-sources.ts"
import type { InvalidRequest } from "../../json/fields.ts"
import {
  type MessagesRequest,
  renamedBefore,
  type RequestOptions,
  upstreamBody,
  type UpstreamBody
} from "../requests.ts"
import { invokeEdits } from "./request.ts"
import { applyEdits, spliceEdits } from "./body-edits.ts"

export const toInvoke = (
  { body: messages, client, toolNames: before }: MessagesRequest,
  { anthropicBeta, files: fetched, model }: RequestOptions
): Result.Result<UpstreamBody, InvalidRequest> => {
  const { files, missing } = filesAtHand(messages, fetched)
  return Result.map(invokeEdits(messages, model, { betas: anthropicBeta, files }), (edits) => {
    const edited = { body: applyEdits(messages, edits), toolNames: edits.toolNames }
    const { body, toolNames } = renamedBefore(before, edited)
    if (client === undefined) return upstreamBody({ body, toolNames }, missing)
    return { body, ...spliceEdits(client, edits), toolNames, missingFiles: missing }
  })
}
