/** What the operator's routes answer. */
import type { Model } from "../api-types.ts"

export interface ServiceState {
  readonly accounts: number
  readonly active_keys: number
  readonly balances_vnd: string
  readonly calls_today: number
  readonly failed_today: number
  readonly spent_today_vnd: string
  readonly nodes: number
  readonly unmatched: number
  readonly maintenance: boolean
  readonly live: {
    readonly open_calls: number
    readonly held_vnd: string
    readonly calls_per_minute: number
    readonly is_ledger_ready: boolean
    readonly event_loop_delay_ms: number
  } | null
  readonly routes: ReadonlyArray<RouteState>
}

export interface RouteState {
  readonly id: string
  readonly provider: string
  readonly base_url: string
  readonly priority: number
  readonly weight: number
  readonly circuit: "closed" | "open" | "half_open" | null
}

export interface AccountEntry {
  readonly id: string
  readonly email: string
  readonly status: "active" | "disabled"
  readonly is_operator: boolean
  readonly created_at: number
  readonly balance_vnd: string
  readonly active_keys: number
  readonly has_person: boolean
  readonly asked_for_reset: boolean
}

export interface AccountView {
  readonly account: AccountEntry
  readonly month: { readonly spent_vnd: string; readonly calls: number }
  readonly keys: ReadonlyArray<{
    readonly id: string
    readonly name: string
    readonly hint: string
    readonly status: "active" | "revoked"
    readonly last_used_at: number | null
    readonly spent_vnd: string
  }>
  readonly credits: ReadonlyArray<{
    readonly id: string
    readonly at: number
    readonly source: "credit" | "top_up"
    readonly amount_vnd: string
    readonly reason: string
    readonly actor: string
  }>
  readonly audit: ReadonlyArray<AuditEntry>
}

export interface AuditEntry {
  readonly id: string
  readonly at: number
  readonly actor: string
  readonly action: string
  readonly subject: string
  readonly detail: Readonly<Record<string, string | number | boolean | null>>
}

export interface Transfer {
  readonly id: string
  readonly provider: string
  readonly provider_id: string
  readonly heard_by: "webhook" | "reconciliation" | "simulator"
  readonly direction: "in" | "out"
  readonly amount_vnd: string
  readonly memo: string
  readonly at: number
  readonly status: "credited" | "unmatched" | "ignored"
  readonly note: string
  readonly flags: ReadonlyArray<string>
  readonly order_code: string | null
  readonly email: string | null
  readonly assigned_by: string | null
}

export interface PricedModel extends Model {
  readonly provider: string
  readonly override: { readonly price_vnd: number | null; readonly disabled: boolean } | null
}
