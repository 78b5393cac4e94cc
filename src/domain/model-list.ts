/** How the models are listed to clients: one shape that both client families parse. */
import type { Model } from "./catalogue.ts"
import type { Price } from "./price.ts"

/** The catalogue keeps no dates, but both client families require one; it must never change. */
const createdSeconds = 1_767_225_600
const createdAt = new Date(createdSeconds * 1000).toISOString().replace(".000Z", "Z")

export interface ListedModel {
  readonly id: string
  readonly object: "model"
  readonly type: "model"
  readonly display_name: string
  readonly name: string
  readonly created: number
  readonly created_at: string
  readonly owned_by: string
  readonly context_window: number | null
  readonly max_output_tokens: number | null
  readonly price:
    | { readonly currency: "VND"; readonly per_mtok: number }
    | { readonly currency: "VND"; readonly per_request: number }
  readonly channel: Model["channel"]
  readonly capabilities: Model["capabilities"]
}

export interface ModelList<Listed = ListedModel> {
  readonly object: "list"
  readonly data: ReadonlyArray<Listed>
  readonly has_more: boolean
  readonly first_id: string | null
  readonly last_id: string | null
}

/** A part of the list: at most `limit` models after, or just before, the model of an id. */
export interface ModelPage {
  readonly limit?: number | undefined
  readonly afterId?: string | undefined
  readonly beforeId?: string | undefined
}

export const renderModel = (model: Model): ListedModel => ({
  id: model.id,
  object: "model",
  type: "model",
  display_name: model.name,
  name: model.name,
  created: createdSeconds,
  created_at: createdAt,
  owned_by: model.family,
  context_window: model.contextWindow,
  max_output_tokens: model.maxOutputTokens,
  price: renderPrice(model.price),
  channel: model.channel,
  capabilities: model.capabilities
})

/**
 * The models in the catalogue's order, each in the words of `render`; all of them without a page. `has_more` tells whether more follow in the
 * direction of paging. `undefined` when `afterId` or `beforeId` names no model.
 */
export const renderModelList = <Listed extends { readonly id: string }>(
  render: (model: Model) => Listed,
  models: ReadonlyArray<Model>,
  page: ModelPage = {}
): ModelList<Listed> | undefined => {
  const limit = page.limit ?? models.length
  const after = indexOf(models, page.afterId, -1)
  const before = indexOf(models, page.beforeId, models.length)
  if (after === undefined || before === undefined) return undefined
  const between = models.slice(after + 1, Math.max(before, after + 1))
  const backwards = page.beforeId !== undefined && page.afterId === undefined
  const data = (backwards ? between.slice(Math.max(0, between.length - limit)) : between.slice(0, limit)).map(
    render
  )
  return {
    object: "list",
    data,
    has_more: data.length < between.length,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null
  }
}

const renderPrice = (price: Price): ListedModel["price"] =>
  price._tag === "PerToken"
    ? { currency: "VND", per_mtok: price.perMtokVnd }
    : { currency: "VND", per_request: price.perRequestVnd }

const indexOf = (
  models: ReadonlyArray<Model>,
  id: string | undefined,
  otherwise: number
): number | undefined => {
  if (id === undefined) return otherwise
  const index = models.findIndex((model) => model.id === id)
  return index === -1 ? undefined : index
}
