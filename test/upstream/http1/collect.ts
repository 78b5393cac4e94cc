import type { AnswerListener } from "../../../src/upstream/http1/Delivery.ts"
import { ConnectionPool, type PooledRequest } from "../../../src/upstream/http1/ConnectionPool.ts"
import { endpointOf } from "../../../src/upstream/http1/Endpoint.ts"
import type { Stub } from "../stub-providers.ts"

export const request: PooledRequest = {
  path: "/v1/x?y=z",
  headers: { accept: "*/*" },
  body: Buffer.from("{}")
}
export const poolTo = ({ port }: Pick<Stub, "port">): ConnectionPool =>
  new ConnectionPool(endpointOf(`http://127.0.0.1:${port}`))

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
  connectTimeoutMs = 10_000
): Promise<Collected | undefined> =>
  new Promise((resolve) => {
    const pieces: Array<Buffer> = []
    let status = 0
    let type = ""
    pool.send(request, connectTimeoutMs, {
      onProgress: () => {},
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
  onProgress: () => {},
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

/** Why a call fails, and whether before anybody can have worked on it. */
export const howItFails = (pool: ConnectionPool, connectTimeoutMs = 1_000) =>
  new Promise<[reason: string, isUnsent: boolean]>((resolve) => {
    const onFailure = (reason: string, isUnsent: boolean) => resolve([reason, isUnsent])
    pool.send(request, connectTimeoutMs, listening({ onFailure }))
  })
