/** Forms that many endpoints share. On this wire money is decimal VND as text, and moments are milliseconds since 1970. */
import { Schema } from "effect"
import { budgetPeriods } from "../../domain/key-settings.ts"

export const Vnd = Schema.String.annotate({
  description: "VND, an exact decimal",
  examples: ["50000", "1050499.251"]
})

export const Moment = Schema.Finite.annotate({
  description: "Milliseconds since 1970",
  examples: [1_795_000_000_000]
})

export const Count = Schema.Finite

/** What somebody or something may spend in a period, and what of it is spent in the present one. */
export const Spending = Schema.Struct({
  budget_vnd: Vnd,
  budget_period: Schema.Literals(budgetPeriods),
  spent_vnd: Vnd,
  resets_at: Schema.NullOr(Moment).annotate({
    description: "When the next period begins; `null`: there is none"
  })
}).annotate({ identifier: "Spending" })

/** In a path. */
export const Id = Schema.String.check(Schema.isPattern(/^[\w-]{1,100}$/))

/** An identity column's value, in a path or a query. */
export const NumberText = Schema.String.check(Schema.isPattern(/^\d{1,18}$/))

/** In a query: PostgreSQL's text can not hold NUL. */
// oxlint-disable-next-line no-control-regex
export const QueryText = Schema.String.check(Schema.isMaxLength(200), Schema.isPattern(/^[^\0]*$/))

/** A moment in a query; PostgreSQL's range is wider than anybody needs. */
export const QueryMoment = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4_102_444_800_000 }))

/** Where the next page begins; `null` at the end. */
export const Next = Schema.NullOr(Schema.String)

export const nothing = Schema.Struct({})

export const separator = Schema.optionalKey(
  Schema.Literals([",", ";"]).annotate({
    description:
      "What stands between cells. Between semicolons decimals have a comma, as in spreadsheets that split there"
  })
)
