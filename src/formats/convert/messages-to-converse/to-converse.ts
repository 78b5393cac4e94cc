/** A Messages request as any other model takes it on Bedrock. */
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
import { messagesRequestToConverse } from "./request.ts"

export const toConverse = (
  { body: messages, toolNames: before }: MessagesRequest,
  { files: fetched, model }: RequestOptions
): Result.Result<UpstreamBody, InvalidRequest> => {
  const { files, missing } = filesAtHand(messages, fetched)
  return Result.map(messagesRequestToConverse(messages, model, files), (converse) =>
    upstreamBody(renamedBefore(before, converse), missing)
  )
}
