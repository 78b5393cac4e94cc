/** What an answer has in place of a body that does not go out: RFC 9110, §9.3.2. */
export class Unsent {
  /** Its length, told where there is one: RFC 9110, §8.6. */
  readonly bytes: number | undefined

  constructor(bytes: number | undefined) {
    this.bytes = bytes
  }
}

export type Content = string | Uint8Array | Unsent

/** What goes out of `content`: of some statuses no length either. */
export const contentFor = (isHead: boolean, status: number, content: Content): Content => {
  if (status === 204 || status === 304) return new Unsent(undefined)
  return isHead && !(content instanceof Unsent) ? new Unsent(Buffer.byteLength(content)) : content
}
