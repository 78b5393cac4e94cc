/** What holds of an endpoint before its call has a model, and of those that are not for text. */
import type { Endpoint } from "../domain/call.ts"
import type { Model } from "../domain/catalogue.ts"
import { chatErrors, type ErrorWords, messagesErrors, responsesErrors } from "./render-error.ts"

export interface EndpointTraits {
  readonly kind: Model["kind"]
  /** Aliases are known, and any other name is the flagship's. */
  readonly mapsNames: boolean
  readonly errors: ErrorWords
}

export const endpoints: Readonly<Record<Endpoint, EndpointTraits>> = {
  messages: { kind: "chat", mapsNames: true, errors: messagesErrors },
  count_tokens: { kind: "chat", mapsNames: true, errors: messagesErrors },
  chat_completions: { kind: "chat", mapsNames: true, errors: chatErrors },
  responses: { kind: "chat", mapsNames: false, errors: responsesErrors },
  images_generations: { kind: "image", mapsNames: false, errors: chatErrors },
  images_edits: { kind: "image", mapsNames: false, errors: chatErrors },
  audio_speech: { kind: "speech", mapsNames: false, errors: chatErrors }
}
