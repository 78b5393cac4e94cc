/** The bytes of a target's requests, made once; only the key changes from one to the next. */
import { readFileSync } from "node:fs"
import type { Target } from "./job.ts"

const keyPlace = "{key}"
/** With more keys than this the requests are made when they are sent: together they would take too much memory. */
const keysMadeMax = 1_000

export class RequestMaker {
  readonly #keys: ReadonlyArray<string>
  readonly #before: Buffer
  readonly #after: Buffer
  readonly #made: ReadonlyArray<Buffer>
  #next = 0

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
    const keys = this.#keys.length === 0 ? [""] : this.#keys
    this.#made = keys.length <= keysMadeMax ? keys.map((key) => this.#make(key)) : []
  }

  next(): Buffer {
    const index = this.#next
    const made = this.#made[index] ?? this.#make(this.#keys[index]!)
    this.#next = (index + 1) % Math.max(1, this.#keys.length)
    return made
  }

  #make(key: string): Buffer {
    return Buffer.concat([this.#before, Buffer.from(key), this.#after])
  }
}
