/** What the maintenance commands do; each answers what is so afterwards. */
import { Effect } from "effect"
import * as Maintenance from "../accounts/maintenance.ts"
import type { Notice } from "../domain/maintenance.ts"
import { withDatabase } from "./with-database.ts"

export const currentMaintenance = withDatabase(Maintenance.currentMaintenance())

export const setMaintenance = (isOn: boolean, actor: string, notice?: Notice) =>
  withDatabase(
    Effect.andThen(Maintenance.setMaintenance(isOn, actor, notice), Maintenance.currentMaintenance())
  )

export const announce = (notice: Notice, actor: string) =>
  withDatabase(Effect.andThen(Maintenance.announce(notice, actor), Maintenance.currentMaintenance()))
