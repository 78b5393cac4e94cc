/**
 * Counts what an upstream has produced so far, cheaply enough for every event of every stream: characters by class,
 * from which `tokens/` estimates tokens. It keeps no text.
 */
export class OutputMeter {
  /** Content events seen; most upstreams send at least one token in each. */
  events = 0
  letters = 0
  digits = 0
  spaces = 0
  marks = 0
  /** Characters outside ASCII, counted by their lead bytes. */
  wide = 0

  /** Adds the UTF-8 bytes `start` to `end` of `bytes`: text as it stands in JSON, escapes included. */
  addBytes(bytes: Uint8Array, start: number, end: number): void {
    this.events++
    for (let index = start; index < end; index++) this.#add(bytes[index]!)
  }

  addText(text: string): void {
    this.events++
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index)
      if (unit < 128) this.#add(unit)
      else if (unit < 0xdc00 || unit > 0xdfff) this.wide++
    }
  }

  #add(byte: number): void {
    if ((byte >= 97 && byte <= 122) || (byte >= 65 && byte <= 90)) this.letters++
    else if (byte >= 48 && byte <= 57) this.digits++
    else if (byte === 32 || byte === 10 || byte === 9 || byte === 13) this.spaces++
    else if (byte >= 0xc0) this.wide++
    else if (byte < 128) this.marks++
  }
}
