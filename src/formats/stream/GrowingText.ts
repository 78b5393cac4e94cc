/**
 * Text that comes in very many pieces and is wanted in the end. A string that is added to keeps each piece as an object of
 * its own, some seventy bytes for a word of five letters; here they are put together as they come.
 */
const piecesMax = 256

export class GrowingText {
  length = 0
  #whole = ""
  #pieces: Array<string> = []

  add(piece: string): void {
    this.length += piece.length
    this.#pieces.push(piece)
    if (this.#pieces.length >= piecesMax) this.whole()
  }

  /** All of it so far. */
  whole(): string {
    if (this.#pieces.length === 0) return this.#whole
    this.#whole += this.#pieces.join("")
    this.#pieces = []
    return this.#whole
  }

  is(text: string): boolean {
    return this.length === text.length && this.whole() === text
  }
}
