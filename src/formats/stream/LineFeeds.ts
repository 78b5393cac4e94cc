/** The bytes of a stream whose lines end in a line feed: where a carriage return stands alone, that ends a line, too. */
const lineFeed = 10
const carriageReturn = 13

export class LineFeeds {
  /** The last chunk ended in a carriage return, and whether a line feed follows is not known yet. */
  #held = false

  of(chunk: Buffer): Buffer {
    if (!this.#held && !chunk.includes(carriageReturn)) return chunk
    const bytes = this.#held ? Buffer.concat([Buffer.of(carriageReturn), chunk]) : chunk
    this.#held = bytes.at(-1) === carriageReturn
    const end = this.#held ? bytes.length - 1 : bytes.length
    let told = bytes
    for (
      let at = bytes.indexOf(carriageReturn);
      at !== -1 && at < end;
      at = bytes.indexOf(carriageReturn, at + 1)
    ) {
      if (bytes[at + 1] === lineFeed) continue
      // What came stays as it is: it is the network's.
      if (told === bytes) told = Buffer.from(bytes)
      told[at] = lineFeed
    }
    return told.subarray(0, end)
  }

  /** What was held back, now that nothing follows. */
  end(): Buffer {
    const rest = this.#held ? Buffer.of(lineFeed) : Buffer.alloc(0)
    this.#held = false
    return rest
  }
}
