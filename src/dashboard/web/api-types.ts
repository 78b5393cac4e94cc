/** What the dashboard's API answers. Money is decimal VND as text, times are milliseconds since 1970. */

export interface SignedInPerson {
  readonly name: string
  readonly email: string
  readonly account_id: string
  readonly is_operator: boolean
  readonly is_active: boolean
}

export interface Session {
  readonly person?: SignedInPerson
  readonly base_url: string
  readonly development: boolean
  readonly simulates_bank: boolean
  readonly sends_mail: boolean
}

export interface SessionEntry {
  readonly id: string
  readonly created_at: number
  readonly last_seen_at: number
  readonly address: string
  readonly user_agent: string
  readonly is_current: boolean
}

export interface PeriodSum {
  readonly spent_vnd: string
  readonly calls: number
  readonly failed_calls: number
  readonly tokens: number
}

export interface Overview {
  readonly balance_vnd: string
  readonly today: PeriodSum
  readonly month: PeriodSum
  readonly errors: ReadonlyArray<Call>
  readonly active_keys: number
  readonly has_calls: boolean
}

export interface Key {
  readonly id: string
  readonly name: string
  readonly hint: string
  readonly status: "active" | "revoked"
  readonly rate_limit: number
  readonly created_at: number
  readonly last_used_at: number | null
  readonly spent_vnd: string
  readonly budget_vnd: string | null
  readonly budget_period: BudgetPeriod | null
  readonly budget_spent_vnd: string | null
  readonly resets_at: number | null
  readonly models: ReadonlyArray<string> | null
  readonly endpoints: ReadonlyArray<string> | null
  readonly allowed_ips: ReadonlyArray<string> | null
  readonly expires_at: number | null
  readonly paused: boolean
  readonly former_secret_until: number | null
}

export type BudgetPeriod = "total" | "day" | "week" | "month"

export interface UsageSum {
  readonly calls: number
  readonly failed_calls: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cost_vnd: string
}

export interface Usage {
  readonly total: UsageSum
  readonly series: ReadonlyArray<UsageSum & { readonly start: number }>
  readonly by_key: ReadonlyArray<UsageSum & { readonly key_id: string; readonly key_name: string }>
  readonly by_model: ReadonlyArray<UsageSum & { readonly model: string }>
  /** Calls that count here and are no longer kept one by one. */
  readonly dropped: { readonly before: number; readonly calls: number } | null
}

export interface Call {
  readonly id: string
  readonly at: number
  readonly key_name: string
  readonly endpoint: string
  readonly model: string
  readonly model_requested: string
  readonly stream: boolean
  readonly status: number
  readonly error_type: string
  readonly input_tokens: number
  readonly output_tokens: number
  readonly estimated: boolean
  readonly cost_vnd: string
  readonly latency_ms: number
  readonly first_byte_ms: number | null
  readonly cache_read_tokens: number
  readonly cache_write_tokens: number
  readonly reasoning_tokens: number
  /** On what terms it was charged; empty where all was standard. */
  readonly tier: string
  readonly tool_uses: ReadonlyArray<{ readonly tool: string; readonly uses: number }>
}

export interface Order {
  readonly id: string
  readonly code: string
  readonly amount_vnd: string
  readonly credited_vnd: string
  readonly status: "pending" | "paid" | "expired"
  readonly created_at: number
  readonly expires_at: number
  readonly paid_at: number | null
  readonly bank?: {
    readonly name: string
    readonly account: string
    readonly account_name: string
    readonly qr: string
  }
}

export interface TopUps {
  readonly is_open: boolean
  readonly minimum_vnd: number
  readonly maximum_vnd: number
  readonly orders: ReadonlyArray<Order>
}

export interface Model {
  readonly id: string
  readonly name: string
  readonly context_window: number | null
  readonly max_output_tokens: number | null
  readonly price_vnd: number
  readonly unit: "mtok" | "request"
  readonly channel: "standard" | "aws"
  readonly capabilities: ReadonlyArray<"reasoning" | "vision" | "tool_calling" | "streaming">
  readonly family: string
  readonly kind: "chat" | "image" | "speech"
}
