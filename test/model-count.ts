/** How many models are sold. */
import records from "../src/domain/catalogue.json" with { type: "json" }

export const modelCount = records.length
