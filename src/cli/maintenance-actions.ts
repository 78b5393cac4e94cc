/** What the maintenance commands do. */
import * as Maintenance from "../accounts/maintenance.ts"
import { withDatabase } from "./with-database.ts"

export const isMaintenanceOn = withDatabase(Maintenance.isMaintenanceOn())

export const setMaintenance = (on: boolean, actor: string) =>
  withDatabase(Maintenance.setMaintenance(on, actor))
