/** The models and their prices, for everyone. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { applyOverride, type ModelOverrides } from "../../domain/model-overrides.ts"
import type { Model } from "../../domain/catalogue.ts"
import { unitOf, vndOf } from "../../domain/price.ts"
import { readOverrides } from "../../storage/SettingsStore.ts"
import type { DashboardContext } from "../DashboardContext.ts"
import { Api } from "../definition/Api.ts"
import { query } from "./refuse.ts"

export const modelHandlers = (context: DashboardContext) =>
  HttpApiBuilder.group(Api, "models", (handlers) =>
    handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        const overrides = yield* query("read model overrides", readOverrides)
        return { models: context.catalogue.models.flatMap((model) => renderIfSold(model, overrides)) }
      })
    })
  )

const renderIfSold = (model: Model, overrides: ModelOverrides) => {
  const sold = applyOverride(model, overrides[model.id], Date.now())
  return sold === undefined ? [] : [renderModel(sold)]
}

export const renderModel = (model: Model) => ({
  id: model.id,
  name: model.name,
  context_window: model.contextWindow,
  max_output_tokens: model.maxOutputTokens,
  price_vnd: vndOf(model.price),
  unit: unitOf(model.price),
  channel: model.channel,
  capabilities: model.capabilities,
  family: model.family,
  kind: model.kind
})
