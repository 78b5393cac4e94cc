/**
 * The keys that seal secrets: those of the settings, else one of our own in a file of the data folder. That file is
 * read in either case, so that what it sealed opens after a move to configured keys.
 */
import { Context, Effect, Layer, Schema } from "effect"
import { randomBytes } from "node:crypto"
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Config } from "../config.ts"
import { makeSealKey, type SealKey } from "./seal-key.ts"

export class SealKeysUnusable extends Schema.TaggedError<SealKeysUnusable>()("SealKeysUnusable", {
  reason: Schema.String
}) {
  override get message() {
    return `The seal keys can not be used: ${this.reason}`
  }
}

interface Keyring {
  /** Seals what is new. */
  readonly current: SealKey
  /** The present one first. */
  readonly all: ReadonlyArray<SealKey>
  readonly find: (sealKeyId: string) => SealKey | undefined
}

export class SealKeys extends Context.Service<SealKeys, Keyring>()("tollgate/accounts/SealKeys") {
  static readonly layer = Layer.effect(
    SealKeys,
    Effect.gen(function* () {
      const { dataDir, sealKeys } = yield* (yield* Config).get
      return yield* Effect.try({
        try: () => SealKeys.of(makeSealKeys(dataDir, sealKeys)),
        catch: unusable
      })
    })
  )

  /** Reads and writes no file before a key is asked for: most commands ask for none, and may stand where they can not write. */
  static readonly layerWhenAsked = Layer.effect(
    SealKeys,
    Effect.gen(function* () {
      const { dataDir, sealKeys } = yield* (yield* Config).get
      return SealKeys.of(keyringWhenAsked(() => makeSealKeys(dataDir, sealKeys)))
    })
  )

  /** Keys in memory; the first seals. */
  static readonly layerOf = (keys: ReadonlyArray<Uint8Array>) =>
    Layer.sync(SealKeys, () => SealKeys.of(keyring(keys)))
}

const unusable = (cause: unknown) => new SealKeysUnusable({ reason: String((cause as Error).message) })

const keyringWhenAsked = (make: () => Keyring): Keyring => {
  let made: Keyring | undefined
  const keyring = (): Keyring => {
    try {
      return (made ??= make())
    } catch (cause) {
      throw unusable(cause)
    }
  }
  return {
    get current() {
      return keyring().current
    },
    get all() {
      return keyring().all
    },
    find: (sealKeyId) => keyring().find(sealKeyId)
  }
}

const makeSealKeys = (dataDir: string, configured: ReadonlyArray<Uint8Array> | undefined): Keyring => {
  const path = join(dataDir, "seal.key")
  if (configured === undefined) return keyring([readOrCreate(dataDir, path)])
  return keyring([...configured, ...(existsSync(path) ? [readSealKeyFile(path)] : [])])
}

/** Each key once: the settings may name that of the file, too, and better-auth refuses a secret that it has already. */
const keyring = (bytes: ReadonlyArray<Uint8Array>): Keyring => {
  const keys = new Map(bytes.map(makeSealKey).map((key) => [key.id, key]))
  const all = [...keys.values()]
  return { current: all[0]!, all, find: (sealKeyId: string) => keys.get(sealKeyId) }
}

const readOrCreate = (dataDir: string, path: string): Uint8Array => {
  if (!existsSync(path)) createSealKeyFile(dataDir, path)
  return readSealKeyFile(path)
}

/** Written whole and flushed before it gets its name: no key may be sealed with a file that a crash can lose. */
const createSealKeyFile = (dataDir: string, path: string): void => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`
  writeFileSync(temporary, `${randomBytes(32).toString("base64")}\n`, {
    mode: 0o600,
    flag: "wx",
    flush: true
  })
  try {
    chmodSync(temporary, 0o600)
    linkSync(temporary, path)
  } catch (cause) {
    // Another process was first: its key counts.
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause
  } finally {
    unlinkSync(temporary)
  }
}

const readSealKeyFile = (path: string): Uint8Array => {
  const bytes = Buffer.from(readFileSync(path, "utf8").trim(), "base64")
  if (bytes.length !== 32) throw new Error(`${path} does not hold 32 bytes in base64`)
  return bytes
}
