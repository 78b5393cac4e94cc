/**
 * Where charges go when the database does not answer: an append-only file in DATA_DIR, synced before a reply goes out.
 *
 * A file is `[length u32][crc32 u32][record]…`. A torn last record was never acknowledged and is left out. The data
 * folder belongs to one process at a time, so every file found at the start was left behind; replaying it is harmless.
 */
import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  unlinkSync,
  writeSync
} from "node:fs"
import { join } from "node:path"
import { crc32 } from "node:zlib"
import type { CallRecord } from "../domain/call.ts"
import { packFrame, packRecord, unpackFrame, unpackRecord } from "./frames.ts"

const headerBytes = 8

export class Spool {
  readonly #path: string
  readonly #folder: string
  #file: number | undefined
  #written = false

  constructor(dataDir: string, startedMs: number) {
    this.#folder = join(dataDir, "spool")
    this.#path = join(this.#folder, `${startedMs}.spool`)
  }

  /** Appends and syncs. Throws when the disk refuses; the records then count as not spooled. */
  append(records: ReadonlyArray<CallRecord>): void {
    if (this.#file === undefined) {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
      this.#file = openSync(this.#path, "a", 0o600)
    }
    writeSync(this.#file, Buffer.concat(records.map(encode)))
    fsyncSync(this.#file)
    this.#written = true
  }

  /** Everything spooled is committed now. */
  clear(): void {
    if (this.#file === undefined || !this.#written) return
    ftruncateSync(this.#file, 0)
    fsyncSync(this.#file)
    this.#written = false
  }

  /** Keeps records that the database refuses where an operator finds them. */
  setAside(records: ReadonlyArray<CallRecord>): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    appendFileSync(join(this.#folder, "refused"), Buffer.concat(records.map(encode)), { mode: 0o600 })
  }

  close(): void {
    if (this.#file === undefined) return
    closeSync(this.#file)
    this.#file = undefined
    if (!this.#written) unlinkSync(this.#path)
  }

  /** Records that a former process has left behind, and what forgets them once they are committed. */
  leftBehind(): { readonly records: ReadonlyArray<CallRecord>; readonly forget: () => void } {
    if (!existsSync(this.#folder)) return { records: [], forget: () => {} }
    const paths = readdirSync(this.#folder)
      .filter((name) => name.endsWith(".spool"))
      .map((name) => join(this.#folder, name))
    return {
      records: paths.flatMap((path) => decode(readFileSync(path))),
      forget: () => paths.forEach((path) => unlinkSync(path))
    }
  }
}

const encode = (record: CallRecord): Buffer => {
  const body = packFrame([packRecord(record)])
  const entry = Buffer.alloc(headerBytes + body.byteLength)
  entry.writeUInt32LE(body.byteLength, 0)
  entry.writeUInt32LE(crc32(body), 4)
  entry.set(body, headerBytes)
  return entry
}

const decode = (bytes: Buffer): ReadonlyArray<CallRecord> => {
  const records: Array<CallRecord> = []
  let offset = 0
  while (offset + headerBytes <= bytes.byteLength) {
    const end = offset + headerBytes + bytes.readUInt32LE(offset)
    const body = bytes.subarray(offset + headerBytes, end)
    if (end > bytes.byteLength || crc32(body) !== bytes.readUInt32LE(offset + 4)) break
    records.push(...unpackFrame(body).map(unpackRecord))
    offset = end
  }
  return records
}
