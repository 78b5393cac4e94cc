/** Errors as the clients of each kind of endpoint are told of them. */
import {
  chatErrors,
  type ErrorShown,
  messagesErrors,
  responsesErrors
} from "../../src/formats/render-error.ts"

const words = {
  messages: messagesErrors,
  chat: chatErrors,
  responses: responsesErrors,
  images: chatErrors,
  speech: chatErrors
}

export type EndpointFamily = keyof typeof words

export const renderErrorBody = (family: EndpointFamily, error: ErrorShown): string =>
  words[family].body(error)

export const renderStreamError = (family: EndpointFamily, error: ErrorShown, sequence = 0): string =>
  words[family].frame(error, sequence)
