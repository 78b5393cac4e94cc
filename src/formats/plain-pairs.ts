/** The rows of the endpoints that are not for text, and of counting: each has one protocol that it goes upstream in. */
import type { Endpoint, TextEndpoint } from "../domain/call.ts"
import type { Model, Protocol } from "../domain/catalogue.ts"
import { standardTerms, type Terms } from "../domain/surcharges.ts"
import { type ImageBytes, type ImageEdit, prepareImageEdit, readImageEdit } from "./images/edit.ts"
import type { Form } from "./images/form.ts"
import { readImageEditForm } from "./images/read-edit-form.ts"
import { boughtTier, settleTier } from "./terms.ts"
import { imagesAsked, unknownToGptImage } from "./images/generation.ts"
import type { Member } from "./json/scan.ts"
import { type Edit, removeMembers, replaceValue, splice } from "./json/splice.ts"
import { messagesPromptToResponses } from "./convert/messages-to-responses/request.ts"
import { messagesCuts } from "./cut-marks.ts"
import { wellFormedJson } from "./json/well-formed-json.ts"
import { isOfAnswersOnly } from "./messages/count-request.ts"
import { requireModelAndMessages } from "./messages/request.ts"
import type { ClientRequest } from "./convert/requests.ts"
import { requireSpeechRequest } from "./speech/request.ts"
import { type Addressed, bearerAddress, countAddress, type UpstreamAddress } from "./upstream-address.ts"

export type PlainEndpoint = Exclude<Endpoint, TextEndpoint>

/** Counting has two: `input_tokens` is that of providers which speak Responses. */
export type PlainRow = PlainEndpoint | "input_tokens"

export interface PlainOptions {
  readonly model: Model
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
  /** On what terms it goes up. */
  readonly terms: Terms
  /** Where the image to edit is, when it must be fetched first: `bytes` are empty until then. */
  readonly imageUrl: { readonly url: string; readonly parameter: string } | undefined
}

export interface PlainPair {
  readonly protocol: Protocol
  address(call: Addressed): UpstreamAddress
  /** What goes upstream. Refuses what can not be served. */
  prepare(request: ClientRequest, options: PlainOptions): PreparedPlain
  /** The same of a request that came as a form; absent where only JSON is taken. */
  prepareForm?(form: Form, bytes: Buffer, options: PlainOptions): PreparedPlain
}

const bearer = (path: string): Pick<PlainPair, "address"> => {
  const address = bearerAddress(path)
  return { address: () => address }
}

export const plainPairs: Readonly<Record<PlainRow, PlainPair>> = {
  images_generations: {
    protocol: "images",
    ...bearer("/images/generations"),
    prepare: (request, { model }) => {
      const unknown = unknownToGptImage(model.upstream.model, request.parsed)
      return withTier(request, model, imagesAsked(request.parsed), leftOut(request.members, unknown))
    }
  },
  images_edits: {
    protocol: "images",
    ...bearer("/images/edits"),
    prepare: ({ parsed }, options) => withImage(readImageEdit(parsed), options),
    prepareForm: (form, bytes, options) => withImage(readImageEditForm(form, bytes), options)
  },
  audio_speech: {
    protocol: "speech",
    ...bearer("/audio/speech"),
    prepare: (request, { model }) => {
      requireSpeechRequest(request.parsed)
      return withTier(request, model, 0, [])
    }
  },
  count_tokens: {
    protocol: "messages",
    address: countAddress,
    prepare: (request, { model }) => {
      requireModelAndMessages(request.parsed)
      const left = removeMembers(request.members, ({ name }) => isOfAnswersOnly(name))
      return withEdits(request, model, 0, [...left, ...messagesCuts(request, model.family)])
    }
  },
  input_tokens: {
    protocol: "responses",
    ...bearer("/responses/input_tokens"),
    prepare: ({ parsed }, { model }) => {
      requireModelAndMessages(parsed)
      const { body } = messagesPromptToResponses(parsed, model)
      return asJson(Buffer.from(wellFormedJson(body)), 0)
    }
  }
}

const withImage = (edit: ImageEdit, { model, ...options }: PlainOptions): PreparedPlain => {
  const asked = edit.fields.find(([name]) => name === "service_tier")?.[1]
  const tier = boughtTier(model, standardTier, asked)
  const fields = edit.fields.map(
    ([name, value]) => [name, name === "service_tier" ? (tier ?? value) : value] as const
  )
  return {
    ...prepareImageEdit({ ...edit, fields }, { ...options, model: model.upstream.model }),
    terms: { tier }
  }
}

/** Who makes images and speech calls it as OpenAI does. */
const standardTier = "default"

const withTier = (
  request: ClientRequest,
  model: Model,
  images: number,
  edits: ReadonlyArray<Edit>
): PreparedPlain => {
  const sent = { body: request.parsed, members: request.members }
  const tier = settleTier(model, standardTier, sent)
  return { ...withEdits(request, model, images, [...edits, ...tier.edits]), terms: tier.terms }
}

const leftOut = (members: ReadonlyArray<Member>, field: string | undefined): ReadonlyArray<Edit> =>
  field === undefined ? [] : removeMembers(members, ({ name }) => name === field)

const withEdits = (
  { bytes, members }: ClientRequest,
  { upstream }: Model,
  images: number,
  edits: ReadonlyArray<Edit>
): PreparedPlain =>
  asJson(splice(bytes, [...replaceValue(members, "model", JSON.stringify(upstream.model)), ...edits]), images)

const asJson = (bytes: Buffer, images: number): PreparedPlain => ({
  bytes,
  contentType: "application/json",
  images,
  terms: standardTerms,
  imageUrl: undefined
})
