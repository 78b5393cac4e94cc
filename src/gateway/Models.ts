/** The models as they are now: the catalogue of the configuration, and what operators have changed since. */
import { Context, Layer } from "effect"
import type { ProviderSettings, Settings } from "../config/settings.ts"
import { Catalogue, type Model } from "../domain/catalogue.ts"
import { applyOverride, type ModelOverrides, spanOf } from "../domain/model-overrides.ts"

export class Models extends Context.Service<
  Models,
  {
    readonly listed: () => ReadonlyArray<Model>
    /** By exact id. */
    get(id: string): Model | undefined
    /** All as it is sold to a call of that date. */
    soldAt(atMs: number): Catalogue
    /** A model's provider, with those of its routes that calls of this model may take. */
    reach(model: Model): ProviderSettings | undefined
    readonly settings: () => Settings
    replace(settings: Settings, overrides: ModelOverrides): void
  }
>()("tollgate/gateway/Models") {
  static readonly layer = (settings: Settings, overrides: ModelOverrides, dateMs: () => number) =>
    Layer.sync(Models, () => {
      let current = settings
      const reached = new Map<string, ProviderSettings | undefined>()
      /** One for each choice of routes, since much is remembered by it. */
      const chosen = new Map<string, ProviderSettings>()
      let changes = overrides
      let span = { fromMs: Infinity, untilMs: -Infinity }
      let catalogue: Catalogue
      /** By when their prices begin to hold; a call that is long in coming is sold what was sold when it began. */
      const made = new Map<number, Catalogue>()
      const soldAt = (atMs: number) => {
        if (atMs >= span.fromMs && atMs < span.untilMs) return catalogue
        span = spanOf(changes, atMs)
        catalogue = made.get(span.fromMs) ?? makeCatalogue(current, changes, atMs)
        made.set(span.fromMs, catalogue)
        return catalogue
      }
      return Models.of({
        listed: () => soldAt(dateMs()).models,
        get: (id) => soldAt(dateMs()).get(id),
        soldAt,
        reach: ({ id, upstream }) => {
          if (!reached.has(id))
            reached.set(id, withRoutesFor(id, current.providers[upstream.provider], chosen))
          return reached.get(id)
        },
        settings: () => current,
        replace: (next, nextOverrides) => {
          current = next
          reached.clear()
          chosen.clear()
          changes = nextOverrides
          made.clear()
          span = { fromMs: Infinity, untilMs: -Infinity }
        }
      })
    })
}

const withRoutesFor = (
  modelId: string,
  provider: ProviderSettings | undefined,
  chosen: Map<string, ProviderSettings>
): ProviderSettings | undefined => {
  if (provider === undefined) return undefined
  const routes = provider.routes.filter(
    ({ isPaused, models = [] }) => isPaused !== true && (models.length === 0 || models.includes(modelId))
  )
  if (routes.length === provider.routes.length) return provider
  const key = `${provider.name} ${routes.map((route) => route.id).join(" ")}`
  const known = chosen.get(key) ?? { ...provider, routes }
  chosen.set(key, known)
  return known
}

const makeCatalogue = (settings: Settings, overrides: ModelOverrides, nowMs: number): Catalogue =>
  new Catalogue(
    settings.catalogue,
    settings.aliases,
    (model) => {
      const sold = applyOverride(model, overrides[model.id], nowMs)
      return sold && withProviders(sold, settings.providers[model.upstream.provider])
    },
    Object.keys(overrides).filter((id) => overrides[id]!.disabled)
  )

/** What the provider charges besides, as far as the catalogue says nothing of this model. */
const withProviders = (model: Model, provider: ProviderSettings | undefined): Model => {
  if (provider === undefined) return model
  const { refusesHostedTools, tiers, toolPrices } = provider.surcharges
  const own = model.surcharges
  return {
    ...model,
    surcharges: {
      tiers: new Map([...tiers, ...own.tiers]),
      toolPrices: new Map([...toolPrices, ...own.toolPrices]),
      refusesHostedTools
    }
  }
}
