/** How the service fares, for everyone. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { healthLevels } from "../../domain/health-level.ts"
import { forAnyone } from "./access.ts"
import { Moment } from "./fields.ts"

/** What customers are told of maintenance that is on or announced. */
export const MaintenanceNotice = Schema.Struct({
  on: Schema.Boolean,
  vi: Schema.NullOr(Schema.String),
  en: Schema.NullOr(Schema.String),
  until: Schema.NullOr(Moment).annotate({ description: "The planned end" })
}).annotate({ identifier: "MaintenanceNotice" })
export type MaintenanceNotice = typeof MaintenanceNotice.Type

const notice = Schema.NullOr(MaintenanceNotice).annotate({
  description: "`null` where maintenance is neither on nor announced"
})

const ServiceStatus = Schema.Struct({
  at: Moment,
  maintenance: Schema.Boolean,
  notice,
  families: Schema.Array(
    Schema.Struct({
      family: Schema.String,
      status: Schema.Literals(["operational", "degraded", "down"]),
      hours: Schema.Array(Schema.Struct({ at: Moment, level: Schema.Literals(healthLevels) })).annotate({
        description: "The last 24 hours of the clock, oldest first; idle: there were no calls to tell it from"
      })
    })
  )
}).annotate({ identifier: "ServiceStatus" })
export type ServiceStatus = typeof ServiceStatus.Type

export const status = HttpApiGroup.make("status").add(
  HttpApiEndpoint.get("read", "/status", { success: ServiceStatus }).pipe(
    forAnyone("How models fare by family, now and in the last 24 hours; some seconds old")
  ),
  HttpApiEndpoint.get("notice", "/notice", { success: Schema.Struct({ notice }) }).pipe(
    forAnyone("What operators say of maintenance, for pages that stay open")
  )
)
