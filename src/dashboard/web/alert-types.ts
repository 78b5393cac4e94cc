/** What the dashboard's API answers of alerts. */
import type { AlertKind } from "../../domain/alert-kinds.ts"

export interface AlertSettings {
  readonly balance_below_vnd: string | null
  readonly days_left: number | null
  readonly mail: ReadonlyArray<AlertKind>
  /** Empty: the account's own. */
  readonly email: string
  readonly language: "vi" | "en"
}

export interface Webhook {
  readonly id: string
  readonly url: string
  readonly kinds: ReadonlyArray<AlertKind>
  readonly paused: boolean
  readonly created_at: number
  readonly former_secret_until: number | null
}

export interface AlertsAnswer {
  readonly settings: AlertSettings
  readonly account_email: string
  readonly webhooks: ReadonlyArray<Webhook>
}

export interface Delivery {
  readonly id: string
  readonly alert: string
  readonly kind: string
  readonly channel: "mail" | "webhook"
  readonly address: string
  readonly status: "pending" | "delivered" | "given_up"
  readonly attempts: number
  readonly outcome: string
  readonly created_at: number
  readonly attempted_at: number | null
  readonly next_at: number | null
}
