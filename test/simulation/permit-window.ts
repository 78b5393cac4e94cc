/** A key's sliding minute, as `take_permits` keeps it: times in tenths of a second with counts, the oldest first. */
import type { KeyId } from "../../src/domain/ids.ts"
import type { Permit, PermitAsk } from "../../src/storage/keys/LimitStore.ts"

type Window = Array<{ atMs: number; count: number }>

const minuteMs = 60_000

export class PermitWindows {
  readonly #windows = new Map<KeyId, Window>()
  readonly #granted = new Map<KeyId, number>()

  /** Calls of the key that were ever let pass. */
  grantedOf(keyId: KeyId): number {
    return this.#granted.get(keyId) ?? 0
  }

  take(ask: PermitAsk, nowMs: number): Permit {
    const window = this.#windows.get(ask.keyId) ?? []
    this.#windows.set(ask.keyId, window)
    const permit = takeFromWindow(window, ask, nowMs)
    this.#granted.set(ask.keyId, this.grantedOf(ask.keyId) + permit.granted)
    return permit
  }
}

const takeFromWindow = (window: Window, { calls, keyId, perMinute }: PermitAsk, ms: number): Permit => {
  const nowMs = Math.ceil(ms / 100) * 100
  for (const each of window) each.atMs = Math.min(each.atMs, nowMs)
  while (window.length > 0 && window[0]!.atMs <= nowMs - minuteMs) window.shift()
  const used = window.reduce((sum, { count }) => sum + count, 0)
  const granted = Math.min(calls, Math.max(0, perMinute - used))
  const retryAfterMs = granted < calls ? retryAfter(window, used + 1 - perMinute, nowMs) : 0
  if (granted > 0) {
    const last = window.at(-1)
    if (last?.atMs === nowMs) last.count += granted
    else window.push({ atMs: nowMs, count: granted })
  }
  return { keyId, granted, retryAfterMs }
}

const retryAfter = (window: Window, missing: number, nowMs: number): number => {
  let left = missing
  let atMs: number | undefined
  for (const each of window) {
    if (left <= 0) break
    left -= each.count
    atMs = each.atMs
  }
  return atMs === undefined ? minuteMs : Math.max(1, atMs + minuteMs - nowMs)
}
