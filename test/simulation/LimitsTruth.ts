/** What passes of keys with a limit a minute, seen from outside: nothing that was not taken from it, and nothing is limited before. */
import type { KeyId } from "../../src/domain/ids.ts"
import type { DatabaseModel } from "./DatabaseModel.ts"
import type { World } from "./World.ts"

export class LimitsTruth {
  readonly #world: World
  readonly #model: DatabaseModel
  readonly #admitted = new Map<KeyId, number>()

  constructor(world: World, model: DatabaseModel) {
    this.#world = world
    this.#model = model
  }

  admitted(keyId: KeyId): void {
    if (this.#perMinuteOf(keyId) === 0) return
    const admitted = (this.#admitted.get(keyId) ?? 0) + 1
    this.#admitted.set(keyId, admitted)
    const granted = this.#model.windows.grantedOf(keyId)
    if (admitted > granted) this.#world.fail(`${keyId} has passed ${admitted} calls of ${granted}`)
  }

  limited(keyId: KeyId): void {
    const [granted, perMinute] = [this.#model.windows.grantedOf(keyId), this.#perMinuteOf(keyId)]
    if (granted < perMinute) this.#world.fail(`${keyId} is limited after ${granted} calls of ${perMinute}`)
  }

  #perMinuteOf(keyId: KeyId): number {
    return this.#model.keys.get(keyId)?.rateLimitPerMinute ?? 0
  }
}
