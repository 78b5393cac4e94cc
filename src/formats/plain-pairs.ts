/** The rows of the endpoints that are not for text, and of counting: each has one protocol that it goes upstream in. */
import type { Endpoint, TextEndpoint } from "../domain/call.ts"
import type { Protocol } from "../domain/catalogue.ts"
import { type ImageBytes, prepareImageEdit } from "./images/edit.ts"
import { readImageGeneration, unknownToGptImage } from "./images/generation.ts"
import { type Edit, type Member, removeMembers, replaceValue, splice } from "./json/splice.ts"
import { isOfAnswersOnly } from "./messages/count-request.ts"
import { requireModelAndMessages } from "./messages/request.ts"
import type { ClientRequest } from "./convert/requests.ts"
import { readSpeechRequest } from "./speech/request.ts"
import { type Addressed, bearerAddress, countAddress, type UpstreamAddress } from "./upstream-address.ts"

export type PlainEndpoint = Exclude<Endpoint, TextEndpoint>

export interface PlainOptions {
  /** The provider's name of the model. */
  readonly model: string
  /** The image to edit, once it has been fetched. */
  readonly image?: ImageBytes | undefined
  /** What stands between the parts of a form, another for each request. */
  makeBoundary(): string
}

/** Plain data: it crosses threads. */
export interface PreparedPlain {
  readonly bytes: Uint8Array
  readonly contentType: string
  /** Images asked for; each has its price. */
  readonly images: number
  /** Where the image to edit is, when it must be fetched first: `bytes` are empty until then. */
  readonly imageUrl: { readonly url: string; readonly parameter: string } | undefined
}

export interface PlainPair {
  readonly protocol: Protocol
  address(call: Addressed): UpstreamAddress
  /** What goes upstream. Refuses what can not be served. */
  prepare(request: ClientRequest, options: PlainOptions): PreparedPlain
}

const bearer = (path: string): Pick<PlainPair, "address"> => {
  const address = bearerAddress(path)
  return { address: () => address }
}

export const plainPairs: Readonly<Record<PlainEndpoint, PlainPair>> = {
  images_generations: {
    protocol: "images",
    ...bearer("/images/generations"),
    prepare: (request, { model }) => {
      const { count } = readImageGeneration(request.parsed)
      return withEdits(
        request,
        model,
        count,
        leftOut(request.members, unknownToGptImage(model, request.parsed))
      )
    }
  },
  images_edits: {
    protocol: "images",
    ...bearer("/images/edits"),
    prepare: ({ parsed }, options) => prepareImageEdit(parsed, options)
  },
  audio_speech: {
    protocol: "speech",
    ...bearer("/audio/speech"),
    prepare: (request, { model }) => {
      readSpeechRequest(request.parsed)
      return withEdits(request, model, 0, [])
    }
  },
  count_tokens: {
    protocol: "messages",
    address: countAddress,
    prepare: (request, { model }) => {
      requireModelAndMessages(request.parsed)
      return withEdits(
        request,
        model,
        0,
        removeMembers(request.members, ({ name }) => isOfAnswersOnly(name))
      )
    }
  }
}

const leftOut = (members: ReadonlyArray<Member>, field: string | undefined): ReadonlyArray<Edit> =>
  field === undefined ? [] : removeMembers(members, ({ name }) => name === field)

const withEdits = (
  { bytes, members }: ClientRequest,
  model: string,
  images: number,
  edits: ReadonlyArray<Edit>
): PreparedPlain => ({
  bytes: splice(bytes, [...replaceValue(members, "model", JSON.stringify(model)), ...edits]),
  contentType: "application/json",
  images,
  imageUrl: undefined
})
