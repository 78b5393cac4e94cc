/** Between the replies of the dashboard's server and the answers of the API. */
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Asking } from "../authenticate.ts"
import type { Reply } from "../exchange.ts"

class RawReply {
  readonly reply: Reply

  constructor(reply: Reply) {
    this.reply = reply
  }
}

/** For what schemas do not write: streams, and answers with cookies. */
export const rawReply = (reply: Reply): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.raw(new RawReply(reply))

export const replyOf = ({ body, headers, status }: HttpServerResponse.HttpServerResponse): Reply => {
  if (body._tag === "Raw" && body.body instanceof RawReply) return body.body.reply
  if (body._tag !== "Uint8Array" && body._tag !== "Empty")
    throw new Error(`An endpoint answered with a body of ${body._tag}`)
  return {
    status,
    headers: [
      ["content-type", "application/json; charset=utf-8"],
      ...Object.entries(headers).filter(([name]) => name !== "content-type" && name !== "content-length"),
      ["cache-control", "no-store"]
    ],
    body: body._tag === "Empty" ? "" : body.body
  }
}

export const askingOf = ({ headers, method }: HttpServerRequest.HttpServerRequest): Asking => ({
  method,
  header: (name) => headers[name] ?? ""
})
