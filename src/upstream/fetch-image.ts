/** Fetches images by URLs that callers give, and lets nobody reach the inside of our network by one. */
import { Clock, Data, Effect } from "effect"
import { Agent, request } from "undici"
import { noProxies, type Proxies } from "../config/choose-proxy.ts"
import { outwardConnector } from "../outgoing/connect-outward.ts"
import { checkedLookup, checkPlace, isPublicAddress, type Resolve } from "../outgoing/public-address.ts"
import { imageMediaType, type ImageMediaType } from "../formats/images/image-type.ts"

export interface FetchedImage {
  readonly bytes: Buffer
  readonly mediaType: ImageMediaType
}

/** The URL is not one we fetch from, or what came is no image; `reason` may be told to the caller. */
export class ImageRefused extends Data.TaggedError("ImageRefused")<{ readonly reason: string }> {
  override get message() {
    return `image URL refused: ${this.reason}`
  }
}

/** As many bytes are kept as may be, of all or of this account. */
export class NoRoomForImage extends Data.TaggedError("NoRoomForImage")<{}> {}

/** Counts so many bytes more as kept; false where there is no room. */
export type TakeRoom = (bytes: number) => boolean

export interface ImageFetcherOptions {
  /** Addresses that tests may reach although they are not public. */
  readonly allowPrivateForTests?: ReadonlyArray<string>
  readonly resolve?: Resolve
  readonly proxies?: Proxies
}

const imageBytesMax = 20 * 1024 * 1024
/** Of all images of one call together, like its body. */
const totalBytesMax = 20 * 1024 * 1024
const imagesMax = 100
const redirectsMax = 3
const timeout = "15 seconds"

export class ImageFetcher {
  readonly #agent: Agent
  readonly #allowed: ReadonlySet<string>
  readonly #mayReach = (address: string): boolean => isPublicAddress(address) || this.#allowed.has(address)

  constructor(options: ImageFetcherOptions = {}) {
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

  fetch(url: string, takeRoom: TakeRoom): Effect.Effect<FetchedImage, ImageRefused | NoRoomForImage> {
    return Effect.flatMap(Clock.currentTimeMillis, (startedMs) =>
      Effect.tryPromise({
        try: (signal) => this.#follow(url, takeRoom, signal),
        catch: (cause) =>
          cause instanceof ImageRefused || cause instanceof NoRoomForImage ? cause : unreachable
      }).pipe(
        Effect.tapError((refusal) => (refusal === unreachable ? endOfStep(startedMs) : Effect.void)),
        Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.fail(refused("it took too long")) })
      )
    )
  }

  /** Each of these URLs once, by URL. */
  fetchAll(
    urls: ReadonlyArray<string>,
    takeRoom: TakeRoom
  ): Effect.Effect<ReadonlyMap<string, FetchedImage>, ImageRefused | NoRoomForImage> {
    const distinct = [...new Set(urls)]
    if (distinct.length > imagesMax) return Effect.fail(refused("too many images"))
    let total = 0
    const fetchOne = (url: string) =>
      Effect.flatMap(this.fetch(url, takeRoom), (image) => {
        total += image.bytes.length
        return total > totalBytesMax
          ? Effect.fail(refused("the images are too large together"))
          : Effect.succeed([url, image] as const)
      })
    return Effect.map(Effect.forEach(distinct, fetchOne, { concurrency: 4 }), (images) => new Map(images))
  }

  close(): Promise<void> {
    return this.#agent.destroy()
  }

  async #follow(start: string, takeRoom: TakeRoom, signal: AbortSignal): Promise<FetchedImage> {
    let url = this.#checkedUrl(start)
    for (let hop = 0; hop <= redirectsMax; hop++) {
      const { statusCode, headers, body } = await request(url, {
        dispatcher: this.#agent,
        signal,
        headers: { accept: "image/png, image/jpeg, image/webp, image/gif" }
      })
      // A body that is thrown away reports that as an error; without a listener it would be nobody's.
      body.on("error", () => {})
      const location = headers["location"]
      if (isRedirect(statusCode) && typeof location === "string") {
        body.destroy()
        url = this.#checkedUrl(location, url)
        continue
      }
      if (statusCode !== 200 || Number(headers["content-length"] ?? 0) > imageBytesMax) {
        body.destroy()
        throw refused(statusCode === 200 ? "the image is too large" : `its server answered ${statusCode}`)
      }
      return readImage(body, takeRoom)
    }
    throw refused("too many redirects")
  }

  #checkedUrl(text: string, base?: URL): URL {
    const checked = checkPlace(text, this.#mayReach, base)
    if (typeof checked !== "string") return checked
    throw checked === "its name is not public" ? unreachable : refused(checked)
  }
}

const refused = (reason: string) => new ImageRefused({ reason })

/** Whether a name is not known, or known inside alone, must not be told, neither in words nor by the time it took. */
const unreachable = refused("it could not be fetched")
const stepMs = 1_000

const endOfStep = (startedMs: number): Effect.Effect<void> =>
  Effect.flatMap(Clock.currentTimeMillis, (nowMs) => Effect.sleep(stepMs - ((nowMs - startedMs) % stepMs)))

const isRedirect = (status: number) =>
  status === 301 || status === 302 || status === 303 || status === 307 || status === 308

const readImage = async (body: AsyncIterable<Buffer>, takeRoom: TakeRoom): Promise<FetchedImage> => {
  const chunks: Array<Buffer> = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.length
    // Leaving the loop destroys the body.
    if (length > imageBytesMax) throw refused("the image is too large")
    if (!takeRoom(chunk.length)) throw new NoRoomForImage()
  }
  const bytes = Buffer.concat(chunks, length)
  const mediaType = imageMediaType(bytes)
  if (mediaType === undefined) throw refused("it is not a PNG, JPEG, WebP or GIF image")
  return { bytes, mediaType }
}
