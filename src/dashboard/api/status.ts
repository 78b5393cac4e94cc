/** How the service fares, for everyone. */
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { currentMaintenance } from "../../accounts/maintenance.ts"
import type { DashboardContext } from "../DashboardContext.ts"
import { Api } from "../definition/Api.ts"
import { renderMaintenance, StatusReader } from "../service-status.ts"
import { act } from "./refuse.ts"

export const statusHandlers = (context: DashboardContext) =>
  HttpApiBuilder.group(Api, "status", (handlers) => {
    const reader = new StatusReader(context)
    return handlers.handleAll({
      read: Effect.fnUntraced(function* () {
        const nowMs = yield* Clock.currentTimeMillis
        return yield* Effect.promise(() => reader.read(nowMs))
      }),

      notice: Effect.fnUntraced(function* () {
        return { notice: renderMaintenance(yield* act(currentMaintenance())) }
      })
    })
  })
