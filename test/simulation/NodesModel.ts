/** The nodes of the model of the database: their leases, and who says that they are over. */
import { type KnownNode, leaseMs } from "../../src/storage/NodeStore.ts"
import type { ModelBreaks, ModelListeners, NodeRow } from "./model-rows.ts"

const spareMs = leaseMs / 8

export class NodesModel {
  readonly rows = new Map<number, NodeRow>()
  #servingSinceMs = -Infinity
  readonly #nowMs: () => number
  readonly #breaks: ModelBreaks
  readonly #onGone: ModelListeners["onGone"]

  constructor(nowMs: () => number, onGone: ModelListeners["onGone"], breaks: ModelBreaks) {
    this.#nowMs = nowMs
    this.#onGone = onGone
    this.#breaks = breaks
  }

  /** The database was away. */
  served(): void {
    this.#servingSinceMs = this.#nowMs()
  }

  register(token: string, former: ReadonlyArray<string>, seen: bigint): NodeRow {
    const began = this.#nowMs()
    for (const node of this.rows.values()) if (former.includes(node.token)) this.end(node)
    const slots = new Set(this.living.map(({ slot }) => slot))
    let slot = 0
    while (slots.has(slot)) slot++
    const node = {
      id: this.rows.size + 1,
      token,
      slot,
      session: 0,
      endJournal: undefined,
      leaseUntilMs: began + leaseMs,
      renewedAtMs: began,
      startedAtMs: began,
      steadySinceMs: began,
      seen,
      goneAtMs: undefined
    }
    this.rows.set(node.id, node)
    return node
  }

  /** Answers how many live; `undefined` for one that is gone. */
  renew(id: number, seen: bigint, toldAtMs: number | undefined): number | undefined {
    const began = this.#nowMs()
    // Also by one that is gone.
    if ((this.rows.get(id)?.leaseUntilMs ?? 0) > began + leaseMs)
      for (const each of this.living) each.renewedAtMs = -Infinity
    this.#noticeSetBack(began)
    const node = this.present(id)
    if (node === undefined) return undefined
    if (seen > node.seen) node.seen = seen
    if (node.leaseUntilMs < began + leaseMs / 2) node.steadySinceMs = began
    node.leaseUntilMs = began + leaseMs
    if (toldAtMs !== undefined && toldAtMs <= began) node.renewedAtMs = toldAtMs
    if (this.#mayJudge(node, began)) {
      for (const each of this.living) if (each.leaseUntilMs < began) this.end(each)
    }
    return this.living.filter((each) => each.leaseUntilMs >= began).length
  }

  beginJournal(id: number, endJournal: () => void): number | undefined {
    const node = this.present(id)
    if (node === undefined) return undefined
    node.endJournal = endJournal
    return ++node.session
  }

  /** As the node of this id knows itself, of whose renewals none was ever lost. */
  known(id: number): KnownNode {
    return { id, token: this.rows.get(id)!.token, renewals: 0 }
  }

  get living(): ReadonlyArray<NodeRow> {
    return [...this.rows.values()].filter(({ goneAtMs }) => goneAtMs === undefined)
  }

  present(id: number): NodeRow | undefined {
    const node = this.rows.get(id)
    return node?.goneAtMs === undefined ? node : undefined
  }

  hasSession(id: number, session: number): boolean {
    const node = this.present(id)
    if (node === undefined) return false
    return node.session === session || this.#breaks.acceptsStaleSessions === true
  }

  end(node: NodeRow): void {
    if (node.goneAtMs !== undefined) return
    node.goneAtMs = this.#nowMs()
    this.#onGone(node)
    node.endJournal?.()
  }

  /** Leases end as if they had been renewed now. */
  #noticeSetBack(began: number): void {
    if (this.#breaks.leavesLeasesAhead === true) return
    for (const each of this.living) {
      if (each.leaseUntilMs <= began + leaseMs + spareMs && each.steadySinceMs <= began + spareMs) continue
      each.leaseUntilMs = Math.min(each.leaseUntilMs, began + leaseMs)
      each.steadySinceMs = Math.min(each.steadySinceMs, began)
    }
  }

  #mayJudge({ startedAtMs, steadySinceMs }: NodeRow, began: number): boolean {
    if (this.#breaks.declaresWithoutSteadiness === true || steadySinceMs < began - leaseMs) return true
    const isNew = steadySinceMs < Math.min(startedAtMs + leaseMs / 4, began - leaseMs / 4)
    return isNew && this.#servingSinceMs < began - leaseMs
  }
}
