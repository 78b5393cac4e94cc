/**
 * A request's body on its way. Until it is known whose it is, it is held back at its sender; what came along with the
 * headers is kept for then. Of a refused one nothing is kept.
 */
import { Exit, Effect } from "effect"
import { BodyBytes } from "../compute/BodyBytes.ts"
import type { AccountId } from "../domain/ids.ts"
import { BodyTooLarge, NoRoomForBody } from "../gateway/Client.ts"
import type { Owner, Stranger } from "./BodyMemory.ts"
import type { Edge } from "./Edge.ts"
import type { Intake } from "./Intake.ts"
import { bytesPerReadMax } from "./ReadPace.ts"
import { SlowSender } from "./SlowSender.ts"

type Refusal = BodyTooLarge | NoRoomForBody
type Asker = (body: Exit.Exit<Buffer, Refusal>) => void

const bytesPerReadMin = 16 * 1024

export class RequestBody {
  readonly #edge: Edge
  readonly #intake: Intake
  /** `undefined` where none was announced. */
  readonly #declared: number | undefined
  readonly #bytesMax: number
  #bytes: BodyBytes | undefined
  /** Whose the bytes are that are counted: while that is not known, of whoever comes from there. */
  #owner: Owner
  #counted = 0
  #isAsked = false
  #asker: Asker | undefined
  #refusal: Refusal | undefined
  #isReleased = false
  /** All of it has come, whether it was kept or not. */
  #complete = false
  /** Bytes that were asked for to be read. */
  #reading = 0
  /** For its turn to be read on. */
  #waits = false
  #sender: SlowSender | undefined

  constructor(edge: Edge, intake: Intake, declared: number | undefined, bytesMax: number) {
    this.#edge = edge
    this.#intake = intake
    this.#declared = declared
    this.#bytesMax = bytesMax
    this.#bytes = new BodyBytes(declared)
    if (declared !== undefined && declared > bytesMax) this.#refuse(new BodyTooLarge())
  }

  /** The whole body, to be asked for once. What is announced must have room: it is better refused before it is sent. */
  readonly asked: Effect.Effect<Buffer, Refusal> = Effect.callback((resume) => {
    this.#isAsked = true
    const announced = Math.max(0, (this.#declared ?? 0) - this.#counted)
    if (!this.#edge.memory.hasRoom(this.#owner, announced)) this.#refuse(new NoRoomForBody())
    if (this.#refusal !== undefined) return resume(Exit.fail(this.#refusal))
    // Its client has left: there is nobody to go on for.
    if (this.#bytes === undefined) return
    if (this.#complete) return resume(Exit.succeed(this.#take()))
    this.#asker = resume
    if (this.#intake.paused) this.#readOn(this.#counted)
  })

  /** Told before any of it has come. */
  comesFrom(stranger: Stranger): void {
    this.#owner ??= stranger
  }

  /** Whose part of the memory it takes from now on. */
  countFor(account: AccountId): void {
    const bytes = this.#counted
    this.#edge.memory.giveBack(this.#owner, bytes)
    this.#owner = account
    this.#counted = 0
    if (!this.#edge.memory.take(account, bytes)) return this.#refuse(new NoRoomForBody())
    this.#counted = bytes
  }

  /** For what is kept beside it; false where there is no room, or nothing to be kept any more. */
  takeRoom(bytes: number): boolean {
    if (this.#isReleased || !this.#edge.memory.take(this.#owner, bytes)) return false
    this.#counted += bytes
    return true
  }

  receive(chunk: ArrayBuffer, isLast: boolean): void {
    this.#complete ||= isLast
    if (!isLast && !this.#isAsked) this.#intake.pause()
    // Told of headers that came alone.
    if (chunk.byteLength === 0 && !isLast) return
    if (this.#bytes === undefined) return
    const size = this.#bytes.size + chunk.byteLength
    if (size > this.#bytesMax) return this.#refuse(new BodyTooLarge())
    if (!this.#edge.memory.take(this.#owner, chunk.byteLength)) return this.#refuse(new NoRoomForBody())
    this.#counted += chunk.byteLength
    this.#bytes.add(chunk)
    if (this.#reading > 0 || !isLast) this.#edge.bodies.came(this.#owner, chunk.byteLength, this.#reading)
    this.#reading = 0
    if (this.#asker === undefined) return
    if (!isLast) {
      this.#sender ??= new SlowSender()
      if (this.#sender.brings(chunk.byteLength) && typeof this.#owner === "string") this.#intake.giveTime()
      return this.#readOn(chunk.byteLength)
    }
    const asker = this.#asker
    this.#asker = undefined
    asker(Exit.succeed(this.#take()))
  }

  /** Nothing of it is kept, nor counted, any longer. */
  release(): void {
    this.#isReleased = true
    this.#bytes = undefined
    this.#edge.memory.giveBack(this.#owner, this.#counted)
    this.#counted = 0
  }

  /** A sender that has brought so many bytes at once is taken to bring as many again. */
  #readOn(bytes: number): void {
    // One read may bring many chunks, also while the connection is held back: it waits for its turn once.
    if (this.#waits) return
    this.#waits = true
    const asked = Math.min(bytesPerReadMax, Math.max(bytesPerReadMin, bytes))
    const goOn = () => {
      this.#waits = false
      this.#reading = asked
      if (this.#bytes !== undefined) this.#intake.resume()
    }
    // One that drips is not even stopped: that would begin its time anew.
    const mayFlood =
      bytes >= bytesPerReadMin && (this.#declared ?? Infinity) - this.#counted > bytesPerReadMax
    if (this.#edge.bodies.ask(this.#owner, { bytes: asked, mayFlood }, goOn)) goOn()
    else this.#intake.pause()
  }

  #take(): Buffer {
    const bytes = this.#bytes!.take()
    // Kept by its call alone from now on. It is counted until that has been answered.
    this.#bytes = undefined
    return bytes
  }

  #refuse(refusal: Refusal): void {
    this.#refusal ??= refusal
    this.release()
    const asker = this.#asker
    this.#asker = undefined
    asker?.(Exit.fail(this.#refusal))
  }
}
