import type { ConnectionPool, PooledRequest } from "../../../src/upstream/http1/ConnectionPool.ts"

export interface Collected {
  readonly status: number
  readonly type: string
  /** In Latin-1. */
  readonly body: string
}

/** The whole answer to a request; `undefined` where it fails. */
export const collect = (
  pool: ConnectionPool,
  request: PooledRequest,
  connectTimeoutMs = 1_000
): Promise<Collected | undefined> =>
  new Promise((resolve) => {
    const pieces: Array<Buffer> = []
    let status = 0
    let type = ""
    pool.send(request, connectTimeoutMs, {
      onSent: () => {},
      onHead: ({ headers, status: found }) => {
        status = found
        type = String(headers["content-type"])
      },
      onData: (bytes) => pieces.push(bytes),
      onEnd: () => resolve({ status, type, body: Buffer.concat(pieces).toString("latin1") }),
      onFailure: () => resolve(undefined)
    })
  })
