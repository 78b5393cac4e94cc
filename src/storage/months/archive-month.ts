/** Writes the calls of a month to a file: compressed CSV that PostgreSQL's `copy` reads back as it was. */
import { createHash, type Hash } from "node:crypto"
import { createReadStream, createWriteStream, existsSync } from "node:fs"
import { mkdir, open, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { Writable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGunzip, createGzip } from "node:zlib"
import type { Sql, Transaction } from "../Database.ts"

export interface Archive {
  /** Its name within the folder. */
  readonly fileName: string
  readonly calls: number
}

/**
 * When it returns, the file has been synced and read back. One that is there already is never written over: it may be
 * another database's.
 */
export const archiveMonth = async (sql: Sql, month: string, folder: string): Promise<Archive> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const unfinished = join(folder, `calls-${month}.csv.gz.part`)
  try {
    const written = await sql.begin((transaction) => writeFile(unfinished, readLines(transaction, month)))
    const sha256 = await hashContent(unfinished)
    if (sha256 !== written.sha256) throw new BadArchive(`${unfinished} does not hold what was written to it`)
    const fileName = freeName(folder, month)
    await rename(unfinished, join(folder, fileName))
    await syncFolder(folder)
    return { fileName, calls: written.lines - 1 }
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/** The archive can not be relied upon. */
export class BadArchive extends Error {
  readonly code = "BAD_ARCHIVE"
}

/** A string is quoted and a null is not: `copy` tells them apart by that. */
const quoted = (column: string) => `'"' || replace(${column}, '"', '""') || '"'`
const text = (column: string) => `coalesce(${quoted(column)}, '')`
const plain = (column: string) => `coalesce(${column}::text, '')`

/** Each column of the call log, and how it stands in the file. */
const columns: ReadonlyArray<readonly [name: string, write: string]> = [
  ["id", quoted("id")],
  ["at", `to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`],
  ["account_id", quoted("account_id")],
  ["key_id", quoted("key_id")],
  ["endpoint", quoted("endpoint")],
  ["model_requested", quoted("model_requested")],
  ["model", quoted("model")],
  ["stream", plain("stream")],
  ["status", plain("status")],
  ["error_type", quoted("error_type")],
  ["input_tokens", plain("input_tokens")],
  ["output_tokens", plain("output_tokens")],
  ["units", plain("units")],
  ["estimated", plain("estimated")],
  ["per_mtok_vnd", plain("per_mtok_vnd")],
  ["per_request_vnd", plain("per_request_vnd")],
  ["cost_micro_vnd", plain("cost_micro_vnd")],
  ["latency_ms", plain("latency_ms")],
  ["first_byte_ms", plain("first_byte_ms")],
  ["stored_id_hash", plain("stored_id_hash")],
  ["node_id", plain("node_id")],
  ["cache_read_tokens", plain("cache_read_tokens")],
  ["cache_write_tokens", plain("cache_write_tokens")],
  ["reasoning_tokens", plain("reasoning_tokens")],
  ["tier", text("tier")],
  ["factor", plain("factor")],
  ["route", text("route")],
  ["tool_uses", text("tool_uses::text")],
  ["other_tokens", text("other_tokens::text")],
  ["stored_item_hashes", text("stored_item_hashes::text")],
  ["attempts", text("attempts::text")]
]

const rowsAtOnce = 1_000

/** The header, then some rows at a time: whoever writes them holds no more than that. */
async function* readLines(transaction: Transaction, month: string): AsyncGenerator<ReadonlyArray<string>> {
  yield [columns.map(([name]) => name).join(",")]
  const line = columns.map(([, write]) => write).join(` || ',' || `)
  await transaction`set local bytea_output = 'hex'`
  // A disk may be slow, and nobody waits for who only reads.
  await transaction`set local idle_in_transaction_session_timeout = 0`
  await transaction.unsafe(`declare archived no scroll cursor for select ${line} as line from calls_${month}`)
  for (;;) {
    const rows = await transaction.unsafe<Array<{ line: string }>>(`fetch ${rowsAtOnce} from archived`)
    if (rows.length === 0) return
    yield rows.map((row) => row.line)
  }
}

const writeFile = async (
  path: string,
  source: AsyncIterable<ReadonlyArray<string>>
): Promise<{ readonly lines: number; readonly sha256: string }> => {
  const hash = createHash("sha256")
  let lines = 0
  await pipeline(
    source,
    async function* (batches) {
      for await (const batch of batches) {
        lines += batch.length
        const bytes = Buffer.from(`${batch.join("\n")}\n`)
        hash.update(bytes)
        yield bytes
      }
    },
    createGzip(),
    // Synced before it is closed.
    createWriteStream(path, { mode: 0o600, flush: true })
  )
  return { lines, sha256: hash.digest("hex") }
}

const hashContent = async (path: string): Promise<string> => {
  const hash = createHash("sha256")
  await pipeline(createReadStream(path), createGunzip(), takeInto(hash))
  return hash.digest("hex")
}

const takeInto = (hash: Hash) =>
  new Writable({
    write: (bytes: Uint8Array, _encoding, done) => {
      hash.update(bytes)
      done()
    }
  })

const freeName = (folder: string, month: string): string => {
  for (let copy = 1; ; copy++) {
    const name = `calls-${month}${copy === 1 ? "" : `-${copy}`}.csv.gz`
    if (!existsSync(join(folder, name))) return name
  }
}

/** A file is only there after a power cut if its folder was synced too. */
const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
