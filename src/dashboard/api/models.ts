/** The models and their prices, for everyone. */
import { applyOverride, type ModelOverrides } from "../../domain/model-overrides.ts"
import type { Model } from "../../domain/catalogue.ts"
import { readOverrides } from "../../storage/SettingsStore.ts"
import { forAnyone, json } from "../route.ts"

export const modelRoutes = [
  forAnyone("GET", "/models", async (_ask, context) => {
    const overrides = await context.query("read model overrides", readOverrides)
    return json({ models: context.catalogue.models.flatMap((model) => renderIfSold(model, overrides)) })
  })
]

const renderIfSold = (model: Model, overrides: ModelOverrides) => {
  const sold = applyOverride(model, overrides[model.id])
  return sold === undefined ? [] : [renderModel(sold)]
}

export const renderModel = (model: Model) => ({
  id: model.id,
  name: model.name,
  context_window: model.contextWindow,
  max_output_tokens: model.maxOutputTokens,
  price_vnd: model.price._tag === "PerToken" ? model.price.perMtokVnd : model.price.perRequestVnd,
  unit: model.price._tag === "PerToken" ? "mtok" : "request",
  channel: model.channel,
  capabilities: model.capabilities,
  family: model.family,
  kind: model.kind
})
