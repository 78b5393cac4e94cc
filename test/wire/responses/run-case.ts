/** Runs the steps of a case one after the other against a gateway whose providers are all one script. */
import { assert } from "@effect/vitest"
import { callCost } from "../../../src/domain/price.ts"
import { type Json, isJsonObject, type JsonObject, objectsOf } from "../../../src/formats/json/json.ts"
import { modelNamed } from "../../catalogue.ts"
import { ask } from "../../gateway/ask.ts"
import type { TestAccount, TestGateway } from "../../gateway/start-gateway.ts"
import { type ClientProtocol, fixtureBody, type ResponsesCase, type Step } from "./case.ts"
import { providerRefusal } from "../provider-refusal.ts"
import { checkClient } from "./check-client.ts"
import { checkUpstream } from "./check-upstream.ts"
import { listOf, valueAt } from "./match.ts"
import { protocolOf } from "./protocols.ts"
import type { ScriptedUpstream } from "./ScriptedUpstream.ts"
import { writeAnswer } from "./write-answer.ts"

const paths: Readonly<Record<ClientProtocol, string>> = {
  responses: "/v1/responses",
  messages: "/v1/messages",
  chat: "/v1/chat/completions",
  count_tokens: "/v1/messages/count_tokens"
}

export const runCase = async (
  gateway: TestGateway,
  upstream: ScriptedUpstream,
  { client, model, steps }: ResponsesCase
): Promise<void> => {
  const account = await gateway.account()
  const finals: Array<JsonObject | undefined> = []
  for (const [index, step] of steps.entries()) {
    const told = { protocol: step.client ?? client ?? "responses", model: step.model ?? model }
    finals.push(await runStep({ gateway, upstream, account, index, step, finals, ...told }))
    // Successes in between, so that an account's failures do not open its circuit.
    upstream.answerWith((asked) => writeAnswer(asked, undefined))
    await ask(gateway, account.key, paths.messages, healthy(told.model))
  }
}

const healthy = (model: string) => ({ model, max_tokens: 20, messages: [{ role: "user", content: "ping" }] })

interface Running {
  readonly gateway: TestGateway
  readonly upstream: ScriptedUpstream
  readonly account: TestAccount
  readonly index: number
  readonly step: Step
  readonly finals: ReadonlyArray<JsonObject | undefined>
  readonly protocol: ClientProtocol
  readonly model: string
}

const runStep = async (running: Running): Promise<JsonObject | undefined> => {
  const { account, finals, gateway, index, model, protocol, step, upstream } = running
  const given = step.request_fixture === undefined ? {} : fixtureBody(step.request_fixture)
  const filled = fill({ ...given, ...step.request }, finals) as JsonObject
  const { model: _, ...rest } = filled
  const body: JsonObject = { model, ...rest }
  const text = JSON.stringify(body)
  upstream.answerWith((asked) => writeAnswer(asked, step.answer))
  const answered = await ask(gateway, account.key, step.path ?? paths[protocol], text)
  const got = step.got ?? {}
  if (step.may_refuse !== undefined && answered.status === 400) {
    for (const word of listOf(step.may_refuse)) assert.include(answered.text, word)
    return undefined
  }
  const [asked, ...others] = upstream.asked
  const isRefused = got.error !== undefined && step.upstream === undefined
  assert.lengthOf(others, 0, `step ${index}: the provider was asked more than once`)
  if (isRefused) assert.isUndefined(asked, `step ${index}: ${asked?.text}`)
  else assert.isDefined(asked, `step ${index}: ${answered.status} ${answered.text}`)
  if (asked !== undefined && step.upstream !== undefined) checkUpstream(asked, step.upstream, { text, body })
  const converted = asked !== undefined && protocolOf(asked) !== protocol
  if (converted) assert.isUndefined(providerRefusal(asked), `step ${index}: ${asked.text}`)
  const final = checkClient(answered, got, { protocol, converted })
  if (step.charged !== undefined) await checkCharge(running, step.charged)
  return final
}

const checkCharge = async (
  { account, gateway, index }: Running,
  charged: NonNullable<Step["charged"]>
): Promise<void> => {
  const row = (await gateway.calls(account.accountId, 2 * index + 1)).at(-1)!
  if (charged === 0) {
    assert.strictEqual(row.cost_micro_vnd, 0n)
    return
  }
  assert.deepStrictEqual([row.input_tokens, row.output_tokens], [charged.input, charged.output])
  const usage = { inputTokens: charged.input, outputTokens: charged.output }
  assert.strictEqual(row.cost_micro_vnd, callCost(modelNamed(row.model).price, usage))
}

/** What earlier steps gave in the places where a case refers to it. */
const fill = (value: Json, finals: Running["finals"]): Json => {
  if (Array.isArray(value)) return value.flatMap((item: Json) => spread(item, finals))
  if (!isJsonObject(value)) return value
  if (Array.isArray(value.$content_of))
    return withoutFields(finals[Number(value.$content_of[0])]?.content, value)
  if (Array.isArray(value.$mangled)) return mangled(value.$mangled as [number, string], finals)
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, fill(member ?? null, finals)])
  )
}

const spread = (item: Json, finals: Running["finals"]): ReadonlyArray<Json> => {
  if (isJsonObject(item) && item.$output !== undefined)
    return withoutFields(finals[Number(item.$output)]?.output, item)
  return [fill(item, finals)]
}

const withoutFields = (items: Json | undefined, { without }: JsonObject): ReadonlyArray<JsonObject> => {
  const left = listOf(without)
  return objectsOf(items).map((item) =>
    Object.fromEntries(Object.entries(item).filter(([name]) => !left.includes(name)))
  )
}

const mangled = ([step, path]: readonly [number, string], finals: Running["finals"]): string => {
  const final = finals[step]
  const value = [final, final?.output, final?.content]
    .map((place) => valueAt(place, path))
    .find((found) => typeof found === "string")
  assert.isString(value, `${path} of step ${step}`)
  return `${String(value).slice(0, -4)}zzzz`
}
