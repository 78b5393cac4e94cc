/** Every conversion case of ../shared/oracle, one test each. */
import { assert, it } from "@effect/vitest"
import { type OracleCase, type Outcome, readCases, readDirections } from "./oracle-case.ts"
import { eventsDifference, exists, messagesStreamDifference, subsetDifference } from "./oracle-match.ts"
import { describeWith } from "../shared-folder.ts"

const cases = readCases()
const directions = await readDirections()

describeWith("oracle", "oracle", () => {
  for (const oracleCase of cases) {
    it(`${oracleCase.id} ${oracleCase.slug} (${oracleCase.direction})`, () => {
      const direction = directions.get(oracleCase.direction)
      assert.isDefined(direction, `nothing runs ${oracleCase.direction} yet`)
      const outcome = direction.run(oracleCase)
      const predicate = direction.predicates[oracleCase.slug]
      if (oracleCase.match === "predicate")
        assert.isDefined(predicate, `no predicate is written for ${oracleCase.slug}`)
      else assert.isUndefined(differenceOf(outcome, oracleCase))
      predicate?.(outcome, oracleCase)
      for (const path of oracleCase.absent ?? [])
        assert.isFalse(exists(outcome.body, path), `${path} must be absent`)
      const isMessages = oracleCase.direction.endsWith("->messages_stream")
      if (isMessages && !endsInError(outcome)) assert.isUndefined(messagesStreamDifference(outcome.events!))
    })
  }
})

const differenceOf = (outcome: Outcome, oracleCase: OracleCase): string | undefined => {
  const expected = contractWins(oracleCase)
  switch (oracleCase.match) {
    case "events":
      return eventsDifference(outcome.events!, expected as ReadonlyArray<unknown>, oracleCase.allow_extra)
    case "final-usage": {
      const usages = outcome.events!.filter((event) => (event as { readonly usage?: unknown }).usage)
      return subsetDifference(usages.at(-1), expected)
    }
    default:
      return subsetDifference(
        "status" in outcome ? outcome : outcome.body,
        expected,
        "",
        oracleCase.match === "subset-prefix"
      )
  }
}

const endsInError = (outcome: Outcome): boolean =>
  (outcome.events?.at(-1) as { readonly type?: string } | undefined)?.type === "error"

/** The contract says where it wins over a case: failed tool results are marked, and most upstream errors are a 502. */
const contractWins = ({ id, direction, input, expected }: OracleCase): unknown => {
  if (id === 5)
    return JSON.parse(JSON.stringify(expected).replace("permission denied", "[tool error] permission denied"))
  if (id === 15) return {}
  const { status } = expected as { readonly status?: number }
  const kept = [400, 413, 422, 429]
  if (!direction.startsWith("upstream_error") || kept.includes((input as { readonly status: number }).status))
    return expected
  return { ...(status !== undefined && { status: 502 }), body: { error: { type: "api_error" } } }
}
