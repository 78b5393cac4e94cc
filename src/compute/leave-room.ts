/** An output cap that the caller did not choose leaves room in the model's window for the input. */
import type { Model } from "../domain/catalogue.ts"
import type { JsonObject } from "../formats/json/json.ts"
import { asksForCap, type OutputCap } from "../formats/output-cap.ts"
import type { InputMeasure } from "../tokens/measure-input.ts"

/** Own counts of text are within a quarter of the provider's. */
const guessMargin = 1.25
/** What is left for the answer where there seems to be no room; whether that fits, the provider knows. */
const roomMin = 4_096

/**
 * Some providers refuse a cap that does not fit in the window behind the input, and some models may answer with as much
 * as their whole window. `asked` is the client's request.
 */
export const leaveRoom = (
  cap: OutputCap,
  asked: JsonObject,
  model: Model,
  input: Pick<InputMeasure, "bound" | "guess">
): OutputCap => {
  if (!cap.isAsked || model.contextWindow === null || asksForCap(asked)) return cap
  const taken = Math.min(input.bound, Math.ceil(input.guess * guessMargin))
  const room = Math.max(model.contextWindow - taken, roomMin)
  return room < cap.tokens ? { ...cap, tokens: room, mustWrite: true } : cap
}
