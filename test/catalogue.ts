/** The models that are sold. */
import { Catalogue, type Model } from "../src/domain/catalogue.ts"
import records from "../src/domain/catalogue.json" with { type: "json" }

export const catalogue = new Catalogue(records)

export const modelNamed = (id: string): Model => {
  const model = catalogue.get(id)
  if (model === undefined) throw new Error(`no model ${id}`)
  return model
}
