/** The models as they are sold now: the catalogue with what operators changed. */
import { Effect } from "effect"
import { Config } from "../config.ts"
import { Catalogue } from "../domain/catalogue.ts"
import { applyOverride } from "../domain/model-overrides.ts"
import { renderModel, renderModelList } from "../domain/model-list.ts"
import { Database } from "../storage/Database.ts"
import { readOverrides } from "../storage/SettingsStore.ts"
import { warnOfOtherModels } from "./warn-of-other-settings.ts"
import { withDatabase } from "./with-database.ts"

export const listModels = withDatabase(
  Effect.gen(function* () {
    yield* warnOfOtherModels
    const { aliases, catalogue } = yield* (yield* Config).get
    const database = yield* Database
    const overrides = yield* database.run("read model overrides", readOverrides)
    const sold = new Catalogue(catalogue, aliases, (model) =>
      applyOverride(model, overrides[model.id], Date.now())
    )
    return renderModelList(renderModel, sold.models)!
  })
)
