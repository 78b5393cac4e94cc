/** What the API refuses with, and under which status: one table for whoever answers, asks or reads the document. */
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"

export const problemStatus = {
  invalid: 400,
  webhook_url: 400,
  route_refused: 400,
  amount_too_small: 400,
  amount_too_large: 400,
  amount_not_a_number: 400,
  period_too_long: 400,
  signed_out: 401,
  account_disabled: 403,
  confirm_needed: 403,
  foreign_origin: 403,
  invitation_not_yours: 403,
  not_a_member: 403,
  out_of_role: 403,
  out_of_scope: 403,
  role_forbids: 403,
  second_factor_needed: 403,
  wrong_password: 403,
  no_account: 404,
  not_found: 404,
  account_active: 409,
  account_closed: 409,
  address_unverified: 409,
  already_assigned: 409,
  already_member: 409,
  below_zero: 409,
  credit_repeated: 409,
  credit_spent: 409,
  email_taken: 409,
  founder_stays: 409,
  key_not_showable: 409,
  key_revoked: 409,
  last_owner: 409,
  last_way_in: 409,
  no_person: 409,
  not_credited_there: 409,
  nothing_to_credit: 409,
  own_account: 409,
  transfer_settled: 409,
  price_changed: 409,
  secret_replaced: 409,
  signed_in_anew: 409,
  too_many_keys: 409,
  too_many_members: 409,
  too_many_routes: 409,
  too_many_tokens: 409,
  too_many_webhooks: 409,
  too_late: 409,
  top_up_closed: 409,
  too_large: 413,
  not_json: 415,
  too_many_exports: 429,
  too_many_tries: 429,
  not_confirmed: 503,
  top_up_unavailable: 503,
  unavailable: 503
} as const satisfies Readonly<Record<string, number>>

export type ProblemCode = keyof typeof problemStatus

/** Where there is more to say than the code does: which field it is, and what it must be. */
const message = Schema.optionalKey(
  Schema.String.annotate({ description: "What is wrong, for whoever writes the program" })
)

const problem = <const Code extends ProblemCode>(code: Code) =>
  Schema.Struct({ error: Schema.Struct({ code: Schema.Literal(code), message }) })
    .annotate({ identifier: `${inCapitals(code)}Problem` })
    .pipe(HttpApiSchema.status(problemStatus[code]))

/** `too_many_keys` as `TooManyKeys`. */
const inCapitals = (code: string): string =>
  code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

/** One of each, so that the document has it once, and all endpoints that refuse so point at it. */
const made = new Map<ProblemCode, unknown>()

/** The schemas of these refusals. */
export const problems = <const Code extends ProblemCode>(
  ...codes: ReadonlyArray<Code>
): ReadonlyArray<ReturnType<typeof problem<Code>>> =>
  codes.map((code) => {
    if (!made.has(code)) made.set(code, problem(code))
    return made.get(code) as ReturnType<typeof problem<Code>>
  })
