/** Numbers that only the running process knows, asked of the main thread; absent where nobody answers. */
import type { RouteTried } from "../domain/route-tried.ts"

export interface LiveState {
  readonly openCalls: number
  /** µVND, as text. */
  readonly heldMicroVnd: string
  /** Over the last minute. */
  readonly callsPerMinute: number
  readonly isLedgerReady: boolean
  readonly eventLoopDelayMs: number
}

export type ReadLive = () => Promise<LiveState | undefined>

/** Sends a small call over a route; `undefined` where nobody can. */
export type TryRoute = (route: string) => Promise<RouteTried | undefined>

/** What the dashboard's thread asks its parent, which answers with the same `id`. */
type Question =
  | { readonly kind: "live"; readonly id: number }
  | { readonly kind: "try"; readonly id: number; readonly route: string }

interface Port {
  postMessage(message: Question): void
  on(event: "message", listener: (message: unknown) => void): void
}

const liveMsMax = 1_000
/** Longer than such a call may take. */
const tryMsMax = 45_000

/** The parent, as whoever asks it sees it. */
export const askParent = (port: Port): { readonly readLive: ReadLive; readonly tryRoute: TryRoute } => {
  const waiting = new Map<number, (answer: unknown) => void>()
  let lastId = 0
  port.on("message", (message) => {
    const { id, kind, state, tried } = message as Readonly<Record<string, unknown>>
    if (kind === "live") waiting.get(Number(id))?.(state)
    if (kind === "tried") waiting.get(Number(id))?.(tried)
  })
  const ask = <Answer>(msMax: number, question: (id: number) => Question) =>
    new Promise<Answer | undefined>((resolve) => {
      const id = ++lastId
      const finish = (answer: unknown) => {
        clearTimeout(timer)
        waiting.delete(id)
        resolve(answer as Answer | undefined)
      }
      const timer = setTimeout(finish, msMax, undefined)
      waiting.set(id, finish)
      port.postMessage(question(id))
    })
  return {
    readLive: () => ask<LiveState>(liveMsMax, (id) => ({ kind: "live", id })),
    tryRoute: (route) => ask<RouteTried>(tryMsMax, (id) => ({ kind: "try", id, route }))
  }
}
