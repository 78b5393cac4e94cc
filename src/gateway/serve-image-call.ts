/** Image generation and image edits: a fixed price for each image that comes back. */
import { randomBytes } from "node:crypto"
import { Effect } from "effect"
import type { Model } from "../domain/catalogue.ts"
import { type ImageBytes, imageEditForm, readImageEdit, type ReferenceImage } from "../formats/images/edit.ts"
import { readImageGeneration } from "../formats/images/generation.ts"
import { scanMembers, splice, replaceValue } from "../formats/json-splice.ts"
import { admit, fixedDemand } from "./admission.ts"
import { costHeaders, idHeaders, modelHeaders } from "./answer-headers.ts"
import type { Call } from "./Call.ts"
import { invalidRequest } from "./CallError.ts"
import { countAnswerImages } from "./count-answer-images.ts"
import { errorOfFault, forward, type Outgoing, providerOf } from "./forward.ts"
import type { GatewayShape } from "./Gateway.ts"
import { readMediaBody } from "./prepare-media.ts"
import { readBody } from "./read-body.ts"
import { resolveModel } from "./resolve-model.ts"
import { settle } from "./settle.ts"

/** Several large images as base64. */
const answerBytesMax = 256 * 1024 * 1024

type Body = Pick<Outgoing, "body" | "contentType">

export const serveImageGeneration = Effect.fnUntraced(function* (gateway: GatewayShape, call: Call) {
  const body = yield* readBody(call, gateway)
  const model = yield* resolveModel(gateway, call, body, "images_generations")
  const { request } = yield* readMediaBody(body, readImageGeneration)
  const edits = replaceValue(scanMembers(body) ?? [], "model", JSON.stringify(model.upstream.model))
  const upstreamBody: Body = { body: splice(body, edits), contentType: "application/json" }
  yield* serveImages(gateway, call, model, request.count, "/images/generations", Effect.succeed(upstreamBody))
})

export const serveImageEdit = Effect.fnUntraced(function* (gateway: GatewayShape, call: Call) {
  const body = yield* readBody(call, gateway)
  const model = yield* resolveModel(gateway, call, body, "images_edits")
  const { request } = yield* readMediaBody(body, readImageEdit)
  const form = Effect.map(referenceImage(gateway, request.image), (image): Body => {
    const boundary = `tollgate-${randomBytes(16).toString("hex")}`
    return {
      body: imageEditForm(request, model.upstream.model, image, boundary),
      contentType: `multipart/form-data; boundary=${boundary}`
    }
  })
  yield* serveImages(gateway, call, model, request.count, "/images/edits", form)
})

const referenceImage = (gateway: GatewayShape, image: ReferenceImage) =>
  image._tag === "Bytes"
    ? Effect.succeed<ImageBytes>(image)
    : gateway.images
        .fetch(image.url)
        .pipe(Effect.mapError((refusal) => invalidRequest(refusal.message, image.parameter)))

const serveImages = Effect.fnUntraced(function* <E>(
  gateway: GatewayShape,
  call: Call,
  model: Model,
  count: number,
  path: string,
  upstreamBody: Effect.Effect<Body, E>
) {
  const provider = yield* providerOf(gateway, model)
  const { publicUrl } = gateway.models.settings()
  yield* admit(gateway.ledger, call.identity!, call.id, fixedDemand(model.price, count), publicUrl)
  const { body, contentType } = yield* upstreamBody
  const answer = yield* forward(gateway, call, {
    provider,
    protocol: "images",
    model: model.upstream.model,
    operation: undefined,
    path,
    body,
    contentType,
    stream: false
  })
  const bytes = yield* answer.exchange
    .body(answerBytesMax)
    .pipe(Effect.mapError((fault) => errorOfFault(gateway, provider, fault)))
  yield* Effect.uninterruptible(
    Effect.gen(function* () {
      const units = yield* countAnswerImages(bytes)
      const usage = { inputTokens: 0, outputTokens: 0 }
      const record = yield* settle(gateway, call, { usage, units, estimated: false })
      call.client.respond(
        200,
        [
          ["content-type", "application/json"],
          ...idHeaders(call),
          ...modelHeaders(call),
          ...costHeaders(call, record)
        ],
        bytes
      )
    })
  )
})
