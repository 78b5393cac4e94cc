/** The bytes of a target's requests, made once; only the key changes from one to the next. */
import { readFileSync } from "node:fs"
import type { Target } from "./job.ts"

const keyPlace = "{key}"

export class RequestMaker {
  readonly #keys: ReadonlyArray<string>
  readonly #before: Buffer
  readonly #after: Buffer
  #next = 0
  #fixed: Buffer | undefined

  constructor(target: Target) {
    this.#keys = target.keysFile === undefined ? [] : readFileSync(target.keysFile, "utf8").split("\n")
    const headers = Object.entries({
      host: new URL(target.url).host,
      ...target.headers,
      "content-length": String(Buffer.byteLength(target.body))
    })
    const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")
    const [before = "", after = ""] = `POST ${target.path} HTTP/1.1\r\n${head}\r\n`.split(keyPlace)
    this.#before = Buffer.from(before)
    this.#after = Buffer.from(after + target.body)
    if (this.#keys.length < 2) this.#fixed = this.#make(this.#keys[0] ?? "")
  }

  next(): Buffer {
    if (this.#fixed !== undefined) return this.#fixed
    const key = this.#keys[this.#next]!
    this.#next = (this.#next + 1) % this.#keys.length
    return this.#make(key)
  }

  #make(key: string): Buffer {
    return Buffer.concat([this.#before, Buffer.from(key), this.#after])
  }
}
