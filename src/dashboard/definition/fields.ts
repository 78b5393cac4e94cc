/** Forms that many endpoints share. On this wire money is decimal VND as text, and moments are milliseconds since 1970. */
import { type JsonSchema, Schema } from "effect"
import { amountVndMax, emailLengthMax, latestMs, reasonLengthMax } from "../../domain/field-limits.ts"
import { budgetPeriods } from "../../domain/key-settings.ts"

export const Vnd = Schema.String.annotate({
  description: "VND, an exact decimal",
  examples: ["50000", "1050499.251"]
})

/** Said in the document, and kept where the field is read, which has words of its own for what is wrong. */
export const told = (bounds: JsonSchema.JsonSchema) =>
  Schema.makeFilter<unknown>(() => true, { toJsonSchema: () => bounds })

const amount = (pattern: string) =>
  Schema.String.check(told({ pattern })).annotate({
    description: `VND, an exact decimal, at most ${amountVndMax}; what people write for thousands, such as 500.000, is refused`,
    examples: ["50000", "1050499.251"]
  })

/** What somebody gives as an amount. */
export const Amount = amount("^-?\\d{1,15}(\\.\\d{1,6})?$")
export const PositiveAmount = amount("^\\d{1,15}(\\.\\d{1,6})?$")

/** One line that shows as something. */
export const Line = (lengthMax: number) => Schema.String.check(told({ minLength: 1, maxLength: lengthMax }))

export const Reason = Line(reasonLengthMax)
export const Email = Line(emailLengthMax)

/** Said of what 32 bits may not hold: a client that is made from the document would have another number. */
const format = "int64"

export const Whole = (minimum: number, maximum: number) =>
  Schema.Int.check(told({ minimum, maximum, ...(maximum > 0x7f_ff_ff_ff && { format }) }))

/** In answers, where nothing has to be refused. */
export const Count = Schema.Finite.check(told({ type: "integer", format }))

/** What a price comes to in VND, of which 32 bits would keep seven digits. */
export const Price = Schema.Finite.check(told({ format: "double" }))

export const Moment = Count.annotate({
  description: "Milliseconds since 1970",
  examples: [1_795_000_000_000]
})

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
export const Id = Schema.String.check(Schema.isPattern(/^[\w-]{1,100}$/u))

/** An identity column's value, in a path or a query. */
export const NumberText = Schema.String.check(Schema.isPattern(/^\d{1,18}$/u))

/** In a query: PostgreSQL's text can not hold NUL. */
// oxlint-disable-next-line no-control-regex
export const QueryText = Schema.String.check(Schema.isMaxCodePoints(200), Schema.isPattern(/^[^\x00]*$/u))

/** A moment in a query; PostgreSQL's range is wider than anybody needs. */
export const QueryMoment = Schema.Int.check(
  Schema.isBetween({ minimum: 0, maximum: latestMs + 1 }),
  told({ format })
).annotate({ description: "Milliseconds since 1970" })

/** A whole day of Viet Nam, in a query. */
export const Day = Schema.String.check(
  Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/u),
  told({ format: "date" })
).annotate({
  description: "A whole day of Viet Nam",
  examples: ["2026-11-22"]
})

/** Names what is asked for, so that a request that is sent twice does it once. */
export const OnceName = Schema.String.check(Schema.isMinCodePoints(16), Schema.isMaxCodePoints(64))

/** Where the next page begins; `null` at the end. */
export const Next = Schema.NullOr(Schema.String)

export const nothing = Schema.Record(Schema.String, Schema.Never)

export const separator = Schema.optionalKey(
  Schema.Literals([",", ";"]).annotate({
    description:
      "What stands between cells. Between semicolons decimals have a comma, as in spreadsheets that split there"
  })
)
