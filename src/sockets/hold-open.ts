import type { HttpResponse } from "uWebSockets.js"

/** Well before the ten seconds after which uWebSockets.js closes a connection whose client reads nothing. */
const everyMs = 4_000

/** How long a client may read nothing; calls have a limit of their own. */
const patienceMs = 15 * 60_000

/**
 * Keeps the connection open while its client reads nothing, but not for ever, until the returned function is called.
 *
 * `resume` starts the clock of uWebSockets.js again. It also brings back what the connection was watched for at the last
 * `pause`: without one nobody would notice the client's reading any more, nor its leaving, nor its next request.
 */
export const holdOpen = (res: HttpResponse): (() => void) => {
  let left = patienceMs
  const timer = setInterval(() => {
    left -= everyMs
    if (left < 0) return clearInterval(timer)
    res.pause()
    res.resume()
  }, everyMs)
  return () => clearInterval(timer)
}
