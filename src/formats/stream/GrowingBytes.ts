/** Bytes that come in pieces, to be taken as one: what they cost grows with their number alone, however small they are. */
const empty = Buffer.alloc(0)

/** Up to this size the pieces are kept as they are, which costs least where there are two or three of them. */
const smallBytes = 64 * 1024

export class GrowingBytes {
  #pieces: Array<Buffer> = []
  /** Where they are put together once there are many, with as much room again. */
  #room = empty
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Keeps the memory of `piece` itself. */
  add(piece: Buffer): void {
    const size = this.#size + piece.length
    if (this.#room.length === 0 && size <= smallBytes) this.#pieces.push(piece)
    else this.#fill(piece, size)
    this.#size = size
  }

  /** The byte at this distance from the end, which is 1 for the last one. */
  fromEnd(distance: number): number | undefined {
    if (this.#room.length > 0) return this.#room[this.#size - distance]
    let left = distance
    for (let place = this.#pieces.length - 1; place >= 0; place--) {
      const piece = this.#pieces[place]!
      if (left <= piece.length) return piece[piece.length - left]
      left -= piece.length
    }
    return undefined
  }

  /** All of them as they are now. */
  whole(): Buffer {
    if (this.#room.length > 0) return this.#room.subarray(0, this.#size)
    return this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces)
  }

  /** All of them; from now on there are none. */
  take(): Buffer {
    const bytes = this.whole()
    this.#pieces = []
    this.#room = empty
    this.#size = 0
    return bytes
  }

  #fill(piece: Buffer, size: number): void {
    if (size > this.#room.length) {
      const room = Buffer.allocUnsafeSlow(2 * size)
      this.whole().copy(room)
      this.#pieces = []
      this.#room = room
    }
    piece.copy(this.#room, this.#size)
  }
}
