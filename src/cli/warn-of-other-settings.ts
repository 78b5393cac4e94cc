/** Tells whoever gives a command that does something by settings which a node that runs has otherwise. */
import { Effect } from "effect"
import { SealKeys } from "../accounts/SealKeys.ts"
import { Config } from "../config.ts"
import { type SettingsParts, settingsParts } from "../config/settings-parts.ts"
import { isSetElsewhere } from "./is-set-elsewhere.ts"

export const warnOfOtherSealKey = Effect.gen(function* () {
  const { id } = (yield* SealKeys).current
  yield* warnOf(
    { seal_key: id },
    "TOLLGATE_SEAL_KEY is not the one that a node that runs seals with: unless that has it behind its own, this secret can not be shown there"
  )
})

export const warnOfOtherModels = Effect.gen(function* () {
  const { models } = settingsParts(yield* (yield* Config).get)
  yield* warnOf(
    { models: models! },
    "The catalogue or aliases here are not those of a node that runs (TOLLGATE_CONFIG): models and prices may be others there"
  )
})

/** What was done stands, whether this can be looked up or not. */
const warnOf = Effect.fnUntraced(function* (parts: SettingsParts, warning: string) {
  if (yield* isSetElsewhere(parts)) yield* Effect.logWarning(warning)
})
