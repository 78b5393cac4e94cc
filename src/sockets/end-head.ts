/** Ends an answer whose head has been written: that to a HEAD tells the length of a body that does not come, where it is known. */
import type { HttpResponse } from "uWebSockets.js"

export const endHead = (res: HttpResponse, bodyBytes: number | undefined): void => {
  if (bodyBytes !== undefined) res.writeHeader("content-length", String(bodyBytes))
  // Told the length, uWebSockets.js would wait for the body, and take the next request for one too many.
  res.endWithoutBody()
}
