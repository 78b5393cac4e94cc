/** Images and documents that callers give by URL. They take room as the call's own body does. */
import { Effect } from "effect"
import type { FetchedFiles, FileAddress } from "../formats/images/file-sources.ts"
import type { FetchedFile, FileRefused, NoRoomForFile } from "../upstream/fetch-file.ts"
import type { Call } from "./Call.ts"
import { busy, type CallError, invalidRequest } from "./CallError.ts"
import type { GatewayShape } from "./Gateway.ts"

/** An image to edit. */
export const fetchImage = (
  gateway: GatewayShape,
  { client }: Call,
  { parameter, url }: { readonly url: string; readonly parameter: string }
): Effect.Effect<FetchedFile, CallError> =>
  Effect.mapError(
    gateway.files.fetch({ kind: "image", url }, (bytes) => client.takeRoom(bytes)),
    (refusal) => errorOf(refusal, parameter)
  )

/** By their URLs. */
export const fetchFiles = (
  gateway: GatewayShape,
  { client }: Call,
  addresses: ReadonlyArray<FileAddress>
): Effect.Effect<FetchedFiles, CallError> =>
  Effect.mapError(
    gateway.files.fetchAll(addresses, (bytes) => client.takeRoom(bytes)),
    (refusal) => errorOf(refusal)
  )

const errorOf = (refusal: FileRefused | NoRoomForFile, parameter?: string): CallError =>
  refusal._tag === "NoRoomForFile" ? busy() : invalidRequest(refusal.message, parameter)
