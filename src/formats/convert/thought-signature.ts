/** Gemini signs its tool calls and wants the signature back with the call. */
import { type JsonObject, objectOf } from "../json/json.ts"
import type { ChatTraits } from "../chat/chat-traits.ts"

// Google's word for a call that its model did not make, as when a conversation moves over from another model.
const unknownSignature = "skip_thought_signature_validator"

/** The signature that a chat upstream sent with a tool call. */
export const receivedSignature = (call: JsonObject): string | undefined => {
  const { thought_signature: signature } = objectOf(objectOf(call.extra_content).google)
  return typeof signature === "string" ? signature : undefined
}

/** The field for a call that goes back; an empty signature is one that should be there and is not. */
export const thoughtSignatureField = (
  signature: string | undefined,
  { signedCalls }: ChatTraits
): JsonObject =>
  !signedCalls || signature === undefined
    ? {}
    : { extra_content: { google: { thought_signature: signature || unknownSignature } } }
