import type { HttpResponse } from "uWebSockets.js"

/** Well before the ten seconds after which uWebSockets.js closes a connection whose client reads nothing. */
const everyMs = 4_000

/** How long a client may read nothing; calls have a limit of their own. */
const patienceMs = 15 * 60_000

/**
 * Keeps the connection open against the clock of uWebSockets.js until the returned function is called, but not for
 * longer than `leftMs`: while its client reads nothing if nothing else is said.
 *
 * `resume` starts the clock of uWebSockets.js again. It also brings back what the connection was watched for at the last
 * `pause`: without one nobody would notice the client's reading any more, nor its leaving, nor its next request.
 */
export const holdOpen = (res: HttpResponse, leftMs = patienceMs): (() => void) => {
  let left = leftMs
  const timer = setInterval(() => {
    left -= everyMs
    if (left < 0) return clearInterval(timer)
    res.pause()
    res.resume()
  }, everyMs)
  return () => clearInterval(timer)
}
