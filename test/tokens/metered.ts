/** Texts as they are metered, and the tokenizer that counts them exactly. */
import { TextMeter } from "../../src/formats/meter/TextMeter.ts"
import { traitsOf } from "../../src/tokens/tokenizer-traits.ts"
import { modelNamed } from "../catalogue.ts"

export const o200k = { ...traitsOf(modelNamed("gpt-5.5")), ratio: 1, ratioMax: 1 }

export const metered = (text: string): TextMeter => {
  const meter = new TextMeter()
  meter.addText(text)
  return meter
}
