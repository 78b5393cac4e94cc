/** A data folder: what a process leaves to the one after it. Every write is on disk at once, or fails. */
import type { CallRecord } from "../../src/domain/call.ts"
import type { CallSpool } from "../../src/ledger/journal/CallSpool.ts"
import type { NodeTokens } from "../../src/ledger/node/NodeTokens.ts"

export class Folder {
  readonly name: string
  tokens: ReadonlyArray<string> = []
  readonly spools = new Map<string, Array<CallRecord>>()
  /** Its disk takes nothing more. */
  isFull = false
  #begun = 0

  constructor(name: string) {
    this.name = name
  }

  openSpool(): CallSpool {
    const own = `${this.name}.${++this.#begun}`
    return {
      append: (records) => {
        if (this.isFull) throw new Error("ENOSPC")
        this.spools.set(own, [...(this.spools.get(own) ?? []), ...records])
      },
      clear: () => void this.spools.delete(own),
      setAside: () => {},
      close: () => {},
      leftBehind: () => {
        const names = [...this.spools.keys()]
        return {
          records: names.flatMap((name) => this.spools.get(name)!),
          forget: () => names.forEach((name) => this.spools.delete(name))
        }
      }
    }
  }

  openTokens(): NodeTokens {
    return {
      begin: () => {
        const token = `${this.name}:${++this.#begun}`
        this.tokens = [...this.tokens, token]
        return token
      },
      former: (token) => this.tokens.filter((each) => each !== token),
      keepOnly: (token) => {
        this.tokens = [token]
      }
    }
  }
}
