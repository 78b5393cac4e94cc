/**
 * What a row of the table of pairs says: how a call from an endpoint goes to an upstream, and how its answer comes back.
 * A row is made of two sides. Where both speak the same protocol it is `unchanged` and the bytes stay as they are; any
 * other is `converted`: through Messages, which each side knows how to make of its own words and its own of.
 */
import type { Result } from "effect"
import type { Model, TextProtocol } from "../domain/catalogue.ts"
import type { Usage } from "../domain/usage.ts"
import type { AskedOfAnswer, ConversionContext } from "./convert/conversion.ts"
import type { MessagesDialect } from "./convert/messages-dialect.ts"
import type { StreamEnd } from "./stream/StreamEnd.ts"
import type { StreamStage } from "./stream/StreamStage.ts"
import type { StreamFailure } from "./errors/stream-failure.ts"
import type { ClientRequest, MessagesRequest, RequestOptions, UpstreamBody } from "./convert/requests.ts"
import type { InvalidRequest } from "./json/fields.ts"
import type { JsonObject } from "./json/json.ts"
import type { FindOutputCap } from "./output-cap.ts"
import type { ParticularsReader } from "./particulars/ParticularsReader.ts"
import type { EventReader } from "./stream/event-reader.ts"
import type { EventSink } from "./stream/pieces.ts"
import type { StoredAnswer } from "../domain/stored-answer.ts"
import type { StreamCodec } from "./stream/stream-codec.ts"
import type { Addressed, UpstreamAddress } from "./upstream-address.ts"

/** What the client's protocol alone decides. */
export interface ClientSide {
  /** Refuses what is no request of this protocol. */
  requireRequest(request: ClientRequest): void
  asked(request: ClientRequest): AskedOfAnswer
  /** What keeps a stream alive before its first event; `undefined` where nothing may come before that. */
  readonly keepAlive: string | undefined
}

/** How a client's protocol is spoken by way of Messages. */
export interface ClientConversion {
  toMessages(
    request: ClientRequest,
    model: Model,
    dialect: MessagesDialect
  ): Result.Result<MessagesRequest, InvalidRequest>
  /** What a further conversion refuses, by the names that the client knows. */
  inOwnWords?(error: InvalidRequest): InvalidRequest
  /** A whole answer. This and the next are absent where the client itself speaks Messages. */
  fromMessages?(answer: JsonObject, context: ConversionContext): Result.Result<JsonObject, StreamFailure>
  /**
   * Writes the events of a Messages stream in this protocol, and weighs them (`weighs`) where they are the upstream's own: else
   * who makes them has done so.
   */
  writeMessagesEvents?(context: ConversionContext, weighs: boolean): StreamEnd
}

/** What the upstream's protocol alone decides. */
export interface UpstreamSide {
  /** Where the call goes, and which of the client's headers go along. */
  address(call: Addressed): UpstreamAddress
  readonly outputCap: FindOutputCap
  /** How a request says that it is served like any other. */
  readonly standardTier: "default" | "standard_only"
  /** The tokens that a whole answer is billed by; `undefined` when it does not tell them. */
  usage(answer: JsonObject): Usage | undefined
  /** Those of the input, be it told without the output. */
  inputTold(answer: JsonObject): number | undefined
  /** Reads what an answer tells of how it was made. */
  particulars(): ParticularsReader
  /** A whole answer in words that the gateway can count by itself; absent where it is in such words as it comes. */
  readable?(answer: JsonObject, context: ConversionContext): Result.Result<JsonObject, StreamFailure>
}

/** How an upstream's protocol is spoken by way of Messages. */
export interface UpstreamConversion {
  /** Who reads the request in the words of Messages. */
  readonly dialect: MessagesDialect
  fromMessages(request: MessagesRequest, options: RequestOptions): Result.Result<UpstreamBody, InvalidRequest>
  /** A whole answer. This and `toMessagesEvents` are absent where the upstream itself speaks Messages. */
  toMessages?(answer: JsonObject, context: ConversionContext): Result.Result<JsonObject, StreamFailure>
  /** The upstream's bytes as events. */
  readonly makeReader: (sink: EventSink) => EventReader
  /** From those events to the events of a Messages stream. */
  toMessagesEvents?(context: ConversionContext): StreamStage
}

/** What both protocols decide together. */
export interface Exchange {
  /** Reads JSON on its way: exactly where it is written anew, in the quickest way where its bytes stay. */
  parse(text: string): unknown
  /** Nothing here looks at the words of a request's texts: places may stand for long ones. */
  readonly leavesTextsUnread: boolean
  request(request: ClientRequest, options: RequestOptions): Result.Result<UpstreamBody, InvalidRequest>
  /** The client's bytes of a whole answer: `bytes` are the upstream's, `answer` what they say. */
  answer(
    answer: JsonObject,
    bytes: Buffer,
    context: ConversionContext
  ): Result.Result<Uint8Array, StreamFailure>
  stream(context: ConversionContext): StreamCodec
  /** What the client calls the field that a provider complains of; `undefined` where that can not be told. */
  clientsField(field: string): string | undefined
  /** Whether the provider keeps the answer so that a later call of the client's can build upon it. */
  isStored(body: JsonObject): boolean
  /** Under which ids it is kept. */
  stored(answer: JsonObject): StoredAnswer | undefined
}

/** One row of the table: all that depends on an endpoint and on the protocol of an upstream. */
export interface Pair extends ClientSide, UpstreamSide, Exchange {
  /** The protocol that this call must go upstream in instead; absent where all calls go alike. */
  instead?(body: JsonObject, model: Model): TextProtocol | undefined
}
