/** An upstream's HTTP error as the client of an endpoint sees it. */
import { readUpstreamError } from "../../src/formats/errors/upstream-errors.ts"
import { type EndpointFamily, renderErrorBody } from "./tell-error.ts"
import type { Outcome } from "./oracle-case.ts"

export const renderedError = (input: unknown, family: EndpointFamily): Outcome => {
  const { status, body } = input as { readonly status: number; readonly body: unknown }
  const bytes = Buffer.from(typeof body === "string" ? body : JSON.stringify(body))
  const error = readUpstreamError(status, bytes)
  return {
    status: error.status,
    body: JSON.parse(renderErrorBody(family, { ...error, requestId: "req_1" })) as unknown
  }
}
