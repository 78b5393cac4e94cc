/** Images that callers give by URL. They take room as the call's own body does. */
import { Effect } from "effect"
import type { FetchedImage, ImageRefused, NoRoomForImage } from "../upstream/fetch-image.ts"
import type { Call } from "./Call.ts"
import { busy, type CallError, invalidRequest } from "./CallError.ts"
import type { GatewayShape } from "./Gateway.ts"

export const fetchImage = (
  gateway: GatewayShape,
  { client }: Call,
  { parameter, url }: { readonly url: string; readonly parameter: string }
): Effect.Effect<FetchedImage, CallError> =>
  Effect.mapError(
    gateway.images.fetch(url, (bytes) => client.takeRoom(bytes)),
    (refusal) => errorOf(refusal, parameter)
  )

/** Each of these URLs once, by URL. */
export const fetchImages = (
  gateway: GatewayShape,
  { client }: Call,
  urls: ReadonlyArray<string>
): Effect.Effect<ReadonlyMap<string, FetchedImage>, CallError> =>
  Effect.mapError(
    gateway.images.fetchAll(urls, (bytes) => client.takeRoom(bytes)),
    (refusal) => errorOf(refusal)
  )

const errorOf = (refusal: ImageRefused | NoRoomForImage, parameter?: string): CallError =>
  refusal._tag === "NoRoomForImage" ? busy() : invalidRequest(refusal.message, parameter)
