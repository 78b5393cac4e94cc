/** The traffic of test/fixtures on every way through the table of pairs, and what it must come to. */
import { assert } from "@effect/vitest"
import type { TextEndpoint } from "../../src/domain/call.ts"
import type { Particulars } from "../../src/domain/particulars.ts"
import { standardTerms } from "../../src/domain/surcharges.ts"
import type { Usage } from "../../src/domain/usage.ts"
import type { Pair } from "../../src/formats/Pair.ts"
import { pairs } from "../../src/formats/pairs.ts"
import { billOf } from "../../src/gateway/bill.ts"
import type { ResolvedCall } from "../../src/gateway/Call.ts"
import type { StreamFixture } from "../fixtures/read-fixtures.ts"
import { catalogue as sold, modelNamed } from "../catalogue.ts"
import { clients } from "./clients.ts"
import type { Answer } from "./stream-answers.ts"

const rowsOf = (protocol: StreamFixture["protocol"]) =>
  Object.entries(pairs as Readonly<Record<TextEndpoint, Partial<Record<typeof protocol, Pair>>>>).flatMap(
    ([endpoint, rows]) =>
      rows[protocol] === undefined ? [] : [{ endpoint: endpoint as TextEndpoint, pair: rows[protocol] }]
  )

export const ownWays = (fixtures: ReadonlyArray<StreamFixture>) =>
  fixtures.flatMap((fixture) =>
    rowsOf(fixture.protocol).map(({ endpoint, pair }) => {
      const client = clients[endpoint]
      const context = { ...client.context, choices: Number(fixture.request["n"] ?? 1) }
      const make = () => pair.stream(context)
      return { name: `${fixture.name} for ${endpoint}`, fixture, endpoint, client, context, make }
    })
  )
export type OwnWay = ReturnType<typeof ownWays>[number]

export const isRelayed = ({ endpoint, fixture }: OwnWay) => endpoint === fixture.protocol

interface Told {
  readonly usage: Usage
  readonly particulars: Particulars
}

const costOf = (told: Told, { request }: StreamFixture): number => {
  const call = { model: modelNamed(request.model), sold, terms: standardTerms } as unknown as ResolvedCall
  return Number(billOf(call, { ...told, units: 1, estimated: false }).cost)
}

export const expectCharge = ({ particulars, usage }: Told, fixture: StreamFixture) => {
  const { input, output } = fixture.usage
  assert.deepStrictEqual(usage, { inputTokens: input, outputTokens: output })
  const { toolUses = {}, ...told } = fixture.particulars ?? {}
  const uses = particulars.toolUses.map(({ tool, uses: times }) => [tool, times])
  assert.deepStrictEqual(Object.fromEntries(uses), toolUses)
  assert.deepInclude(particulars, told)
  assert.strictEqual(costOf({ particulars, usage }, fixture), fixture.charge)
}

/** Why Claude refuses stands beside its answer, and in it for clients of other protocols. */
export const expected = ({ endpoint, fixture: { answer, protocol, shown, usage } }: OwnWay): Answer => ({
  text:
    (answer.text ?? "") + (endpoint === "messages" && protocol === "invoke" ? "" : (answer.refusal ?? "")),
  thinking: answer.thinking ?? "",
  tools: answer.tools ?? [],
  ...(shown ?? usage)
})
