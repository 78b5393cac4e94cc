/**
 * Where charges go when the database does not answer: an append-only file in DATA_DIR, synced before a reply goes out.
 *
 * A file is `[length u32][crc32 u32][record]…`. A torn last record was never acknowledged and is left out. The data
 * folder belongs to one process at a time, so every file found at the start was left behind; replaying it is harmless.
 */
import {
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
import type { CallRecord } from "../../domain/call.ts"
import type { CallSpool } from "./CallSpool.ts"
import { pack, packRecord, unpack, unpackRecord } from "../pack-record.ts"

const headerBytes = 8

export class Spool implements CallSpool {
  readonly #path: string
  readonly #folder: string
  #file: number | undefined
  /** Everything before this is whole and synced. */
  #size = 0

  constructor(dataDir: string, startedMs: number) {
    this.#folder = join(dataDir, "spool")
    const pathOf = (ms: number) => join(this.#folder, `${ms}.spool`)
    let ms = startedMs
    // A machine may begin at the same date each time, or be set back to it: what was left behind is not written over.
    while (existsSync(pathOf(ms))) ms++
    this.#path = pathOf(ms)
  }

  /** Appends and syncs. Throws when the disk refuses; the records then count as not spooled. */
  append(records: ReadonlyArray<CallRecord>): void {
    this.#file ??= this.#create(this.#path)
    const bytes = Buffer.concat(records.map(encode))
    try {
      writeAll(this.#file, bytes, this.#size)
      fsyncSync(this.#file)
    } catch (error) {
      // Nothing whole may ever come after something torn.
      ftruncateSync(this.#file, this.#size)
      throw error
    }
    this.#size += bytes.byteLength
  }

  /** Everything spooled is committed now. */
  clear(): void {
    if (this.#file === undefined || this.#size === 0) return
    ftruncateSync(this.#file, 0)
    fsyncSync(this.#file)
    this.#size = 0
  }

  /** Keeps records that the database refuses where an operator finds them. */
  setAside(records: ReadonlyArray<CallRecord>): void {
    const bytes = Buffer.concat(records.map(encode))
    const file = this.#create(join(this.#folder, `${records[0]!.callId}.refused`))
    try {
      writeAll(file, bytes, 0)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  }

  close(): void {
    if (this.#file === undefined) return
    closeSync(this.#file)
    this.#file = undefined
    if (this.#size === 0) unlinkSync(this.#path)
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

  #create(path: string): number {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    const file = openSync(path, "w", 0o600)
    // A file is only there after a power cut if its folder was synced too.
    const folder = openSync(this.#folder, "r")
    fsyncSync(folder)
    closeSync(folder)
    return file
  }
}

/** A disk that is nearly full writes a part and says so; only the next write fails. */
const writeAll = (file: number, bytes: Buffer, position: number): void => {
  for (let done = 0; done < bytes.byteLength;) {
    done += writeSync(file, bytes, done, bytes.byteLength - done, position + done)
  }
}

const encode = (record: CallRecord): Buffer => {
  const body = pack([packRecord(record)])
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
    records.push(...(unpack(body) as ReadonlyArray<ReadonlyArray<unknown>>).map(unpackRecord))
    offset = end
  }
  return records
}
