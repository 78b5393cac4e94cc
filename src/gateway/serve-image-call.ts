/** Image generation and image edits: a fixed price for each image that comes back. */
import { Effect } from "effect"
import type { PlainTask } from "../compute/prepare-plain.ts"
import { bufferOf } from "../compute/share-bytes.ts"
import type { ProviderSettings } from "../config/settings.ts"
import { noUsage } from "../domain/usage.ts"
import { imagesMax } from "../formats/images/generation.ts"
import type { PlainEndpoint, PreparedPlain } from "../formats/plain-pairs.ts"
import type { UpstreamAnswer } from "../upstream/UpstreamCall.ts"
import { admit, fixedDemand } from "./admission.ts"
import { chargedHeaders } from "./answer-headers.ts"
import type { IdentifiedCall, ResolvedCall } from "./Call.ts"
import { countAnswerImages } from "./count-answer-images.ts"
import { fetchImage } from "./fetch-files.ts"
import { errorWithin, forward, providerOf, readWhole } from "./forward.ts"
import type { GatewayShape } from "./Gateway.ts"
import { addressOf, preparePlain } from "./prepare-plain.ts"
import { askedHold } from "./hold-terms.ts"
import { readBody } from "./read-body.ts"
import { resolveModel } from "./resolve-model.ts"
import { settle } from "./settle.ts"

/** Several large images as base64. Counting them reads all of it in one turn of the event loop. */
const answerBytesMax = 128 * 1024 * 1024

export const serveImages = (endpoint: Extract<PlainEndpoint, `images_${string}`>) =>
  Effect.fnUntraced(function* (gateway: GatewayShape, arrived: IdentifiedCall) {
    const body = yield* readBody(gateway, arrived)
    const call = yield* resolveModel(gateway, arrived, body)
    const { model } = call
    const task: PlainTask = { row: endpoint, body, model }
    const prepared = yield* preparePlain(gateway, call, task)
    const provider = yield* providerOf(gateway, model)
    yield* admit(gateway, call, fixedDemand(model.price, prepared.images, askedHold(call)))
    // Nothing is fetched for a wallet that can not pay.
    const { bytes, contentType } = yield* withImage(gateway, call, task, prepared)
    const answer = yield* forward(gateway, call, {
      provider,
      model: model.upstream.model,
      address: addressOf(endpoint, call.client),
      body: bufferOf(bytes),
      contentType,
      stream: false,
      readWhole: true
    })
    const read = yield* readWhole(gateway, answer, answerBytesMax)
    // From here on the work is done: it is charged even if its client leaves now.
    yield* Effect.uninterruptible(charge(gateway, call, prepared.images, { provider, answer, bytes: read }))
  })

/** The image to edit is fetched where the caller gave its address. */
const withImage = (gateway: GatewayShape, call: ResolvedCall, task: PlainTask, prepared: PreparedPlain) => {
  const { imageUrl } = prepared
  if (imageUrl === undefined) return Effect.succeed(prepared)
  return Effect.flatMap(fetchImage(gateway, call, imageUrl), (image) =>
    preparePlain(gateway, call, { ...task, image })
  )
}

interface Read {
  readonly provider: ProviderSettings
  readonly answer: UpstreamAnswer
  readonly bytes: Buffer
}

const charge = Effect.fnUntraced(function* (
  gateway: GatewayShape,
  call: ResolvedCall,
  asked: number,
  { answer, bytes, provider }: Read
) {
  const counted = yield* Effect.mapError(countAnswerImages(bytes), (uncounted) =>
    errorWithin(gateway, provider, answer, bytes, uncounted)
  )
  // More than can be asked for are not images.
  const disbelieved = counted > imagesMax ? { units: counted } : undefined
  const units = disbelieved === undefined ? counted : asked
  const record = yield* settle(gateway, call, { usage: noUsage, units, estimated: false, disbelieved })
  call.client.respond(200, chargedHeaders(call, record), bytes)
})
