/** Sends a small call over one route alone, for an operator who wants to know whether it works. Nobody is charged, and nothing is learnt from it. */
import { Effect } from "effect"
import { bufferOf } from "../compute/share-bytes.ts"
import type { ProviderSettings, Route } from "../config/settings.ts"
import type { Model } from "../domain/catalogue.ts"
import type { AccountId } from "../domain/ids.ts"
import type { RouteTried } from "../domain/route-tried.ts"
import { pairOf, wayTo } from "../formats/pairs.ts"
import { steadyMs } from "../telemetry/steady-clock.ts"
import { shapeRequest } from "../upstream/shape-request.ts"
import type { AttemptFault } from "../upstream/UpstreamCall.ts"
import type { GatewayShape } from "./Gateway.ts"
import { hideSecrets } from "./hide-secrets.ts"

const outputTokensMax = 16
/** For the whole of it. */
const waitMs = 30_000
const answerBytesMax = 256 * 1024
const messageLengthMax = 300

/** `undefined`: there is no such route, or none of its models can be asked so. */
export const tryRoute = Effect.fnUntraced(function* (gateway: GatewayShape, routeId: string) {
  const found = findRoute(gateway, routeId)
  const model = found && cheapestOf(gateway, found)
  const way = model && wayTo("messages", model)
  if (found === undefined || model === undefined || way === undefined) return undefined
  const { provider, route } = found
  const startedMs = steadyMs()
  const since = Effect.sync(() => steadyMs() - startedMs)
  const body = Buffer.from(
    JSON.stringify({
      model: model.id,
      max_tokens: outputTokensMax,
      stream: true,
      messages: [{ role: "user", content: "Say hi." }]
    })
  )
  const call = Effect.gen(function* () {
    const prepared = yield* gateway.codecs.prepare(asker, { way, body, model, anthropicBeta: "" })
    return yield* gateway.upstreams.callAlone(
      {
        provider,
        asker: { account: asker, model: model.upstream.model },
        deadlineMs: startedMs + waitMs,
        readWhole: false,
        attempts: [],
        shape: (each) =>
          shapeRequest(
            gateway.signers,
            {
              provider,
              model: model.upstream.model,
              address: pairOf(prepared.way).address(addressed),
              body: bufferOf(prepared.bytes),
              contentType: "application/json",
              stream: true,
              traceParent: ""
            },
            each
          )
      },
      route
    )
  })
  const ended = (of: Partial<RouteTried>) =>
    Effect.map(since, (totalMs): RouteTried => ({
      model: model.id,
      status: undefined,
      firstByteMs: undefined,
      fault: undefined,
      message: undefined,
      ...of,
      totalMs
    }))
  return yield* call.pipe(
    Effect.flatMap(({ exchange, head: { status } }) =>
      Effect.gen(function* () {
        const firstByteMs = yield* since
        return yield* Effect.matchEffect(exchange.body(answerBytesMax), {
          onFailure: ({ reason }) => ended({ status, firstByteMs, fault: reason }),
          onSuccess: (bytes) =>
            ended({ status, firstByteMs, message: status < 400 ? undefined : messageOf(bytes, provider) })
        })
      })
    ),
    Effect.catch((failure) => ended({ fault: faultOf(failure) }))
  )
})

/** No account of anybody's. */
const asker = "acc_test_of_route" as AccountId

const addressed = {
  stream: true,
  query: "",
  anthropicVersion: "",
  anthropicBeta: "",
  codexResponsesLite: ""
}

interface Found {
  readonly provider: ProviderSettings
  readonly route: Route
}

const findRoute = ({ models }: GatewayShape, routeId: string): Found | undefined => {
  for (const provider of Object.values(models.settings().providers)) {
    const route = provider.routes.find(({ id }) => id === routeId)
    if (route !== undefined) return { provider, route }
  }
  return undefined
}

/** Of the models that go by the route. */
const cheapestOf = ({ models }: GatewayShape, { provider, route }: Found): Model | undefined =>
  models
    .listed()
    .filter(
      ({ id, upstream }) =>
        upstream.provider === provider.name && (route.models === undefined || route.models.includes(id))
    )
    .filter((model) => wayTo("messages", model) !== undefined)
    .toSorted((left, right) => priceOf(left) - priceOf(right))[0]

const priceOf = ({ price }: Model): number =>
  price._tag === "PerToken" ? price.perMtokVnd : price.perRequestVnd * 1_000_000

const faultOf = (failure: AttemptFault | { readonly _tag: string }): string => {
  if ("reason" in failure) return failure.reason
  return failure._tag === "BedrockCredentialsError" ? "credentials" : "broken"
}

/** What was asked is our own: the provider's words can hold nobody's. */
const messageOf = (bytes: Buffer, provider: ProviderSettings): string => {
  const text = bytes.toString("utf8").replaceAll(/\s+/g, " ").trim()
  const message = /"message"\s*:\s*"((?:[^"\\]|\\.){1,2000})"/.exec(text)?.[1] ?? text
  return hideSecrets({ type: "api_error", message }, provider).message.slice(0, messageLengthMax)
}
