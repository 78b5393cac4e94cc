/** What answers by chance are made of. */
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import type { Random } from "../../../Random.ts"

/** An answer whole, and the bytes of the stream that tells the same. */
export interface ToldTwice {
  readonly whole: JsonObject
  readonly stream: Buffer
}

export abstract class Chances {
  readonly random: Random

  constructor(random: Random) {
    this.random = random
  }

  abstract answer(): ToldTwice

  words(): string {
    return `w${this.some(5, () => this.random.pick(["Huế", " ", "\n", "😀", '"', "\\", "}"])).join("")}`
  }

  /** Nothing, white space that is short or long, or words. */
  text(): string {
    return this.random.pick(["", " \n", " ".repeat(70), this.words(), this.words(), this.words()])
  }

  input(): JsonObject {
    return this.random.pick<JsonObject>([
      {},
      { a: 1, "2": null, b: 1.5 },
      { text: this.words() },
      { list: [1, "x", { deep: [] }], flag: false }
    ])
  }

  some<A>(most: number, make: (place: number) => A): ReadonlyArray<A> {
    return Array.from({ length: this.random.below(most + 1) }, (_, place) => make(place))
  }

  pieces(text: string): ReadonlyArray<string> {
    const pieces: Array<string> = []
    for (let start = 0, end = 0; start < text.length; start = end) {
      end = start + 1 + this.random.below(8)
      pieces.push(text.slice(start, end))
    }
    return pieces
  }
}
