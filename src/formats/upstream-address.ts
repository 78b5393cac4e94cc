/** Where a call goes at its provider, and what of its headers belongs to the protocol. */

/** What of a client's call matters for that. */
export interface Addressed {
  readonly stream: boolean
  readonly query: string
  readonly anthropicVersion: string
  readonly anthropicBeta: string
  /** Codex says by it that the tools stand in `input`; it is part of what its request means. */
  readonly codexResponsesLite: string
}

export type BedrockOperation = "invoke" | "invoke-with-response-stream" | "converse" | "converse-stream"

export type UpstreamAddress =
  | {
      readonly _tag: "Keyed"
      /** Below the route's base address. */
      readonly path: string
      readonly key: "x-api-key" | "bearer"
      /** Empty ones are left out. */
      readonly headers: Readonly<Record<string, string>>
    }
  | { readonly _tag: "Signed"; readonly operation: BedrockOperation }

const defaultAnthropicVersion = "2023-06-01"

export const messagesAddress = (call: Addressed): UpstreamAddress =>
  anthropicAddress(call.query === "beta=true" ? "/v1/messages?beta=true" : "/v1/messages", call)

export const countAddress = (call: Addressed): UpstreamAddress =>
  anthropicAddress("/v1/messages/count_tokens", call)

const anthropicAddress = (path: string, call: Addressed): UpstreamAddress => ({
  _tag: "Keyed",
  path,
  key: "x-api-key",
  headers: {
    "anthropic-version": call.anthropicVersion || defaultAnthropicVersion,
    "anthropic-beta": call.anthropicBeta
  }
})

export const responsesAddress = (call: Addressed): UpstreamAddress => ({
  _tag: "Keyed",
  path: "/responses",
  key: "bearer",
  headers: { "x-openai-internal-codex-responses-lite": call.codexResponsesLite }
})

/** The same for every call. */
export const bearerAddress = (path: string): UpstreamAddress => ({
  _tag: "Keyed",
  path,
  key: "bearer",
  headers: {}
})

export const invokeAddress = ({ stream }: Addressed): UpstreamAddress => (stream ? invokeStream : invokeWhole)

export const converseAddress = ({ stream }: Addressed): UpstreamAddress =>
  stream ? converseStream : converseWhole

const invokeWhole: UpstreamAddress = { _tag: "Signed", operation: "invoke" }
const invokeStream: UpstreamAddress = { _tag: "Signed", operation: "invoke-with-response-stream" }
const converseWhole: UpstreamAddress = { _tag: "Signed", operation: "converse" }
const converseStream: UpstreamAddress = { _tag: "Signed", operation: "converse-stream" }
