import type { AnswerListener } from "../../../src/upstream/http1/Connection.ts"
import type { ConnectionPool, PooledRequest } from "../../../src/upstream/http1/ConnectionPool.ts"
import type { Stub } from "../stub-providers.ts"

export const request: PooledRequest = {
  path: "/v1/x?y=z",
  headers: { accept: "*/*" },
  body: Buffer.from("{}")
}
export const originOf = ({ port }: Pick<Stub, "port">) => `http://127.0.0.1:${port}`

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

/** Told of nothing but what a test says. */
export const listening = (more: Partial<AnswerListener>): AnswerListener => ({
  onSent: () => {},
  onHead: () => {},
  onData: () => {},
  onEnd: () => {},
  onFailure: () => {},
  ...more
})

/** Why a call failed. */
export const failureOf = (pool: ConnectionPool, connectTimeoutMs = 1_000) =>
  new Promise<string>((resolve) =>
    pool.send(request, connectTimeoutMs, listening({ onEnd: () => resolve("none"), onFailure: resolve }))
  )
