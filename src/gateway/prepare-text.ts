/** Has a body checked and converted. */
import { Effect } from "effect"
import type { PrepareTask, Prepared } from "../compute/prepare-call.ts"
import { flatMapAtOnce, mapErrorAtOnce } from "./at-once.ts"
import type { IdentifiedCall } from "./Call.ts"
import type { CallError } from "./CallError.ts"
import { errorOfRequestCodec } from "./error-of-codecs.ts"
import { fetchFiles } from "./fetch-files.ts"
import type { GatewayShape } from "./Gateway.ts"

export const prepareText = (
  gateway: GatewayShape,
  call: IdentifiedCall,
  task: PrepareTask
): Effect.Effect<Prepared, CallError> =>
  flatMapAtOnce(prepare(gateway, call, task), (prepared) => {
    call.stream = prepared.stream
    call.terms = prepared.terms
    return Effect.succeed(prepared)
  })

/** Fetches the files that the upstream takes as bytes only and the caller gave by URL. */
export const fillInFiles = (
  gateway: GatewayShape,
  call: IdentifiedCall,
  task: PrepareTask,
  prepared: Prepared
): Effect.Effect<Prepared, CallError> => {
  const { missingFiles } = prepared
  if (missingFiles.length === 0) return Effect.succeed(prepared)
  return Effect.flatMap(fetchFiles(gateway, call, missingFiles), (files) =>
    prepare(gateway, call, { ...task, files })
  )
}

const prepare = (gateway: GatewayShape, { identity }: IdentifiedCall, task: PrepareTask) =>
  mapErrorAtOnce(gateway.codecs.prepare(identity.accountId, task), errorOfRequestCodec)
