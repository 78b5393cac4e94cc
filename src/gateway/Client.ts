/** What serving a call needs of its client. `http/Exchange.ts` is the real one. */
import { type Effect, Schema } from "effect"
import type { AccountId } from "../domain/ids.ts"

/** The headers a call reads; absent ones are empty. */
export interface RequestHeaders {
  readonly apiKey: string
  readonly authorization: string
  readonly contentEncoding: string
  readonly anthropicVersion: string
  readonly anthropicBeta: string
  /** Codex says by it that the tools stand in `input`; it is part of what its request means. */
  readonly codexResponsesLite: string
  readonly traceParent: string
}

export type ResponseHeaders = ReadonlyArray<readonly [name: string, value: string]>

export class BodyTooLarge extends Schema.TaggedError<BodyTooLarge>()("BodyTooLarge", {}) {}

/** As many bytes of bodies are kept as may be, of all or of this account. */
export class NoRoomForBody extends Schema.TaggedError<NoRoomForBody>()("NoRoomForBody", {}) {}

export interface Client {
  readonly headers: RequestHeaders
  /** Without the query: of a call it is that of its endpoint, letter for letter. */
  readonly path: string
  readonly query: string
  /** Where it calls from, as the connection says or the proxy in front of us. */
  readonly address: string
  /**
   * The whole request body, to be asked for once: it is not gathered before. Fails as soon as more has come, or is
   * announced, than a body may have or than there is room for.
   */
  readonly body: Effect.Effect<Buffer, BodyTooLarge | NoRoomForBody>
  /** Whose part of the memory the body takes from now on. */
  countBodyFor(account: AccountId): void
  /** Counts so many bytes more as part of the body, until that is let go; false where there is no room. */
  takeRoom(bytes: number): boolean
  /** The client is there and the answer not finished. */
  readonly isOpen: boolean
  /** Sends a whole answer. */
  respond(status: number, headers: ResponseHeaders, body: string | Uint8Array): void
  /** Begins a streamed answer. */
  start(status: number, headers: ResponseHeaders): void
  /** Sends a piece; `false` when the client does not keep up, and nothing more should be sent until `whenWritable`. */
  write(piece: Uint8Array | string): boolean
  whenWritable(listener: () => void): void
  end(piece?: Uint8Array | string): void
  /** Breaks the connection off. Whoever serves the client is told as if it had left. */
  drop(): void
}
