/**
 * By what names this process and those before it on its data folder have been nodes. A process holds its data folder
 * alone, so the lives of its predecessors are over, and what they had is free without anybody waiting for their leases.
 */
import { randomBytes } from "node:crypto"
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"

export interface NodeTokens {
  /** A name for a new life; from now on a successor knows it. */
  begin(): string
  /** Of lives that are over, now that this one begins. */
  former(token: string): ReadonlyArray<string>
  /** The others have been told of. */
  keepOnly(token: string): void
}

/** So many at most are remembered. */
const tokensMax = 100

export class FileTokens implements NodeTokens {
  readonly #path: string
  #tokens: ReadonlyArray<string>

  constructor(dataDir: string) {
    mkdirSync(dataDir, { recursive: true })
    this.#path = join(dataDir, "node.json")
    this.#tokens = readTokens(this.#path)
  }

  begin(): string {
    const token = randomBytes(16).toString("hex")
    this.#write([...this.#tokens, token].slice(-tokensMax))
    return token
  }

  former(token: string): ReadonlyArray<string> {
    return this.#tokens.filter((each) => each !== token)
  }

  keepOnly(token: string): void {
    this.#write([token])
  }

  #write(tokens: ReadonlyArray<string>): void {
    this.#tokens = tokens
    writeFileSync(`${this.#path}.new`, JSON.stringify({ tokens }), { mode: 0o600 })
    renameSync(`${this.#path}.new`, this.#path)
  }
}

/** Without it, the leases of former lives run out by themselves. */
const readTokens = (path: string): ReadonlyArray<string> => {
  try {
    const { tokens } = JSON.parse(readFileSync(path, "utf8")) as { readonly tokens?: unknown }
    return Array.isArray(tokens) ? tokens.filter((token) => typeof token === "string") : []
  } catch {
    return []
  }
}
