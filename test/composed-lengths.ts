/** How long the texts are whose letters and accents are composed meanwhile: that takes the square of accents in a row. */
import { vi } from "vitest"

export const composedLengths = <A>(
  work: () => A
): { readonly answers: A; readonly lengths: ReadonlyArray<number> } => {
  const lengths: Array<number> = []
  const spy = vi.spyOn(String.prototype, "normalize").mockImplementation(function (this: string) {
    lengths.push(this.length)
    return String(this)
  })
  try {
    return { answers: work(), lengths }
  } finally {
    spy.mockRestore()
  }
}
