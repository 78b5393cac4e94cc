/** Fetches images and documents by URLs that callers give, and lets nobody reach the inside of our network by one. */
import { Clock, Data, Effect } from "effect"
import { Agent, request } from "undici"
import { noProxies, type Proxies } from "../config/choose-proxy.ts"
import { outwardConnector } from "../outgoing/connect-outward.ts"
import { checkedLookup, checkPlace, isPublicAddress, type Resolve } from "../outgoing/public-address.ts"
import type { FetchedFiles, FileAddress } from "../formats/images/file-sources.ts"
import { fileForms, type FileKind, fileMediaType } from "../formats/images/file-type.ts"

export interface FetchedFile {
  readonly bytes: Buffer
  readonly mediaType: string
}

/** The URL is not one we fetch from, or what came is something else; `reason` may be told to the caller. */
export class FileRefused extends Data.TaggedError("FileRefused")<{
  readonly kind: FileKind
  readonly reason: string
  /** Of several of its kind in a request. */
  readonly place?: string
}> {
  override get message() {
    return `${this.kind} URL${this.place ?? ""} refused: ${this.reason}`
  }
}

/** As many bytes are kept as may be, of all or of this account. */
export class NoRoomForFile extends Data.TaggedError("NoRoomForFile")<{}> {}

/** Counts so many bytes more as kept; false where there is no room. */
export type TakeRoom = (bytes: number) => boolean

export interface FileFetcherOptions {
  /** Addresses that tests may reach although they are not public. */
  readonly allowPrivateForTests?: ReadonlyArray<string>
  readonly resolve?: Resolve
  readonly proxies?: Proxies
}

const fileBytesMax = 20 * 1024 * 1024
/** Of all files of one call together, like its body: each as often as it goes up. */
const totalBytesMax = 20 * 1024 * 1024
const filesMax = 100
const redirectsMax = 3
const timeout = "15 seconds"

export class FileFetcher {
  readonly #agent: Agent
  readonly #allowed: ReadonlySet<string>
  readonly #mayReach = (address: string): boolean => isPublicAddress(address) || this.#allowed.has(address)

  constructor(options: FileFetcherOptions = {}) {
    this.#allowed = new Set(options.allowPrivateForTests)
    this.#agent = new Agent({
      // Every hop resolves and checks anew: a kept connection could outlive what its name was checked for.
      pipelining: 0,
      allowH2: false,
      // A proxy is asked for the address that was checked, never for a name that it would look up for itself.
      connect: outwardConnector(options.proxies ?? noProxies, {
        lookup: checkedLookup(this.#mayReach, options.resolve)
      })
    })
  }

  fetch(address: FileAddress, takeRoom: TakeRoom): Effect.Effect<FetchedFile, FileRefused | NoRoomForFile> {
    return Effect.flatMap(Clock.currentTimeMillis, (startedMs) =>
      Effect.tryPromise({
        try: (signal) => this.#follow(address, takeRoom, signal),
        catch: (cause) =>
          cause instanceof FileRefused || cause instanceof NoRoomForFile ? cause : unreachable(address)
      }).pipe(
        Effect.tapError((refusal) => (isUnreachable(refusal) ? endOfStep(startedMs) : Effect.void)),
        Effect.timeoutOrElse({
          duration: timeout,
          orElse: () => Effect.fail(refused(address, "it took too long"))
        })
      )
    )
  }

  /** By their URLs. */
  fetchAll(
    addresses: ReadonlyArray<FileAddress>,
    takeRoom: TakeRoom
  ): Effect.Effect<FetchedFiles, FileRefused | NoRoomForFile> {
    const beyond = addresses[filesMax]
    if (beyond !== undefined) return Effect.fail(refused(beyond, "too many files"))
    let total = 0
    const fetchOne = (address: FileAddress) =>
      Effect.flatMap(Effect.mapError(this.fetch(address, takeRoom), placed(addresses, address)), (file) => {
        total += file.bytes.length * (address.times ?? 1)
        return total > totalBytesMax
          ? Effect.fail(refused(address, "the files are too large together"))
          : Effect.succeed([address.url, file] as const)
      })
    return Effect.map(Effect.forEach(addresses, fetchOne, { concurrency: 4 }), (files) => new Map(files))
  }

  close(): Promise<void> {
    return this.#agent.destroy()
  }

  async #follow(address: FileAddress, takeRoom: TakeRoom, signal: AbortSignal): Promise<FetchedFile> {
    let url = this.#checkedUrl(address, address.url)
    for (let hop = 0; hop <= redirectsMax; hop++) {
      const { statusCode, headers, body } = await request(url, {
        dispatcher: this.#agent,
        signal,
        headers: { accept: accepted[address.kind] }
      })
      // A body that is thrown away reports that as an error; without a listener it would be nobody's.
      body.on("error", () => {})
      const location = headers["location"]
      if (isRedirect(statusCode) && typeof location === "string") {
        body.destroy()
        url = this.#checkedUrl(address, location, url)
        continue
      }
      if (statusCode !== 200 || Number(headers["content-length"] ?? 0) > fileBytesMax) {
        body.destroy()
        throw statusCode === 200 ? tooLarge(address) : refused(address, `its server answered ${statusCode}`)
      }
      return readFile(address, body, takeRoom)
    }
    throw refused(address, "too many redirects")
  }

  #checkedUrl(address: FileAddress, text: string, base?: URL): URL {
    const checked = checkPlace(text, this.#mayReach, base)
    if (typeof checked !== "string") return checked
    throw checked === "its name is not public" ? unreachable(address) : refused(address, checked)
  }
}

const accepted: Readonly<Record<FileKind, string>> = {
  image: "image/png, image/jpeg, image/webp, image/gif",
  document: "application/pdf"
}

const refused = ({ kind }: FileAddress, reason: string) => new FileRefused({ kind, reason })

/** Says which it was: its URL is the caller's, and told to nobody. */
const placed =
  (addresses: ReadonlyArray<FileAddress>, address: FileAddress) =>
  (refusal: FileRefused | NoRoomForFile): FileRefused | NoRoomForFile => {
    const others = addresses.filter(({ kind }) => kind === address.kind)
    if (refusal._tag !== "FileRefused" || others.length === 1) return refusal
    const place = ` ${others.indexOf(address) + 1} of ${others.length}`
    return new FileRefused({ kind: refusal.kind, reason: refusal.reason, place })
  }

const tooLarge = (address: FileAddress) => refused(address, `the ${address.kind} is too large`)

/** Whether a name is not known, or known inside alone, must not be told, neither in words nor by the time it took. */
const unreachableReason = "it could not be fetched"
const unreachable = (address: FileAddress) => refused(address, unreachableReason)
const isUnreachable = (refusal: FileRefused | NoRoomForFile): boolean =>
  refusal._tag === "FileRefused" && refusal.reason === unreachableReason
const stepMs = 1_000

const endOfStep = (startedMs: number): Effect.Effect<void> =>
  Effect.flatMap(Clock.currentTimeMillis, (nowMs) => Effect.sleep(stepMs - ((nowMs - startedMs) % stepMs)))

const isRedirect = (status: number) =>
  status === 301 || status === 302 || status === 303 || status === 307 || status === 308

const readFile = async (
  address: FileAddress,
  body: AsyncIterable<Buffer>,
  takeRoom: TakeRoom
): Promise<FetchedFile> => {
  const chunks: Array<Buffer> = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.length
    // Leaving the loop destroys the body.
    if (length > fileBytesMax) throw tooLarge(address)
    if (!takeRoom(chunk.length)) throw new NoRoomForFile()
  }
  const bytes = Buffer.concat(chunks, length)
  const mediaType = fileMediaType(address.kind, bytes)
  if (mediaType === undefined) throw refused(address, `it is not ${fileForms[address.kind]}`)
  return { bytes, mediaType }
}
