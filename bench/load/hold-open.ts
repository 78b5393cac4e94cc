/** Opens many answers and leaves them under way. */
import { HttpConnection } from "./HttpConnection.ts"
import type { HoldJob, HoldResult } from "./job.ts"
import { RequestMaker } from "./RequestMaker.ts"

/** How many are being opened at a time. */
const openingMax = 200

export interface Held {
  readonly result: HoldResult
  readonly release: () => void
}

/** Ends when each has its first bytes or has failed. */
export const holdOpen = async (job: HoldJob): Promise<Held> => {
  const requests = new RequestMaker(job)
  const connections: Array<HttpConnection> = []
  let open = 0
  let failures = 0
  let firstFailure: string | undefined
  const openOne = () =>
    new Promise<void>((resolve) => {
      const connection = new HttpConnection(job.url)
      connections.push(connection)
      let seen = false
      const failed = (reason: string) => {
        firstFailure ??= reason
        failures++
        if (seen) open--
        resolve()
      }
      connection.send(requests.next(), {
        body: () => {
          if (seen) return
          seen = true
          open++
          if (job.readsNothing === true) connection.socket.pause()
          resolve()
        },
        done: (status) => failed(`ended with ${status}`),
        failed
      })
    })
  let left = job.connections
  const opener = async () => {
    while (left-- > 0) await openOne()
  }
  await Promise.all(Array.from({ length: Math.min(openingMax, job.connections) }, opener))
  return {
    result: { open, failures, firstFailure },
    release: () => connections.forEach((connection) => connection.close())
  }
}
