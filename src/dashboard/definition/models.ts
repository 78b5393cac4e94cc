/** The models and their prices. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Capability, Channel, Kind } from "../../domain/catalogue.ts"
import { forAnyone } from "./access.ts"
import { Count, Price } from "./fields.ts"

export const Unit = Schema.Literals(["mtok", "request"])

export const modelFields = {
  id: Schema.String,
  name: Schema.String,
  context_window: Schema.NullOr(Count),
  max_output_tokens: Schema.NullOr(Count),
  price_vnd: Price.annotate({ description: "VND for a million tokens, or for a request" }),
  unit: Unit,
  channel: Channel,
  capabilities: Schema.Array(Capability),
  family: Schema.String,
  kind: Kind
}

const Model = Schema.Struct(modelFields).annotate({ identifier: "Model" })

export const models = HttpApiGroup.make("models").add(
  HttpApiEndpoint.get("list", "/models", { success: Schema.Struct({ models: Schema.Array(Model) }) }).pipe(
    forAnyone("The models that are sold, with their prices")
  )
)
