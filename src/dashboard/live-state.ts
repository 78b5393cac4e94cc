/** Numbers that only the running process knows, asked of the main thread; absent where nobody answers. */

export interface LiveState {
  readonly openCalls: number
  /** µVND, as text. */
  readonly heldMicroVnd: string
  /** Over the last minute. */
  readonly callsPerMinute: number
  readonly isLedgerReady: boolean
  readonly eventLoopDelayMs: number
}

/** What the dashboard's thread asks its parent, and what the parent answers with the same `id`. */
interface LiveQuestion {
  readonly kind: "live"
  readonly id: number
}
interface LiveAnswer extends LiveQuestion {
  readonly state: LiveState | undefined
}

export type ReadLive = () => Promise<LiveState | undefined>

interface Port {
  postMessage(message: LiveQuestion): void
  on(event: "message", listener: (message: unknown) => void): void
}

const answerMsMax = 1_000

export const askLive = (port: Port): ReadLive => {
  const waiting = new Map<number, (state: LiveState | undefined) => void>()
  let lastId = 0
  port.on("message", (message) => {
    const answer = message as Partial<LiveAnswer> | null
    if (answer?.kind === "live" && answer.id !== undefined) waiting.get(answer.id)?.(answer.state)
  })
  return () =>
    new Promise((resolve) => {
      const id = ++lastId
      const finish = (state: LiveState | undefined) => {
        clearTimeout(timer)
        waiting.delete(id)
        resolve(state)
      }
      const timer = setTimeout(finish, answerMsMax, undefined)
      waiting.set(id, finish)
      port.postMessage({ kind: "live", id })
    })
}
