/** What the dashboard's API answers of statements, receipts and billing details. */

export type StatementLine = {
  /** In Viet Nam: `2026-11-22`. */
  readonly day: string
  readonly amount_vnd: string
  readonly balance_vnd: string
} & (
  | {
      readonly kind: "calls"
      readonly model: string
      readonly calls: number
      readonly input_tokens: number
      readonly output_tokens: number
    }
  | {
      readonly kind: "top_up" | "credit" | "correction"
      readonly id: string
      readonly at: number
      readonly reason: string
    }
)

export interface StatementSums {
  readonly opening_vnd: string
  readonly added_vnd: string
  readonly taken_vnd: string
  readonly closing_vnd: string
}

export interface StatementPage extends StatementSums {
  readonly lines: ReadonlyArray<StatementLine>
  readonly next: string | null
}

export interface Receipt {
  readonly id: string
  readonly at: number
  readonly amount_vnd: string
  readonly code: string | null
  readonly transfer: string
  readonly transferred_at: number | null
}

export interface Party {
  readonly company: string
  readonly tax_code: string
  readonly address: string
}

export interface Billing {
  readonly issuer: Party
  readonly details: Party & { readonly email: string }
}
