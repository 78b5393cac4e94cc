/** Ends the answer to a HEAD, whose head has been written: it tells the length of a body that does not come. */
import type { HttpResponse } from "uWebSockets.js"

export const endHead = (res: HttpResponse, bodyBytes: number): void => {
  res.writeHeader("content-length", String(bodyBytes))
  // Told the length, uWebSockets.js would wait for the body, and take the next request for one too many.
  res.endWithoutBody()
}
