/** All that is known of one call. */
import type { ComponentChildren } from "preact"
import type { Call } from "../answers.ts"
import { CopyButton } from "../components/Button.tsx"
import { Dialog } from "../components/Dialog.tsx"
import { Money } from "../components/Layout.tsx"
import { decimal, exactTime, money, number, text } from "../language.ts"
import { seconds } from "../seconds.ts"
import { whyFailed } from "../text/failures.ts"
import { usageText } from "../text/usage.ts"

/** A line of its own where there is something to count. */
const counted = (name: string, count: number): ReadonlyArray<readonly [string, string]> =>
  count === 0 ? [] : [[name, number(count)]]

/** Each try at a provider, in the order in which they were begun. */
const Attempts = ({ attempts }: { readonly attempts: Call["attempts"] }) => {
  const { attemptOutcomes, attemptTook } = usageText()
  return (
    <ol>
      {attempts.map(({ ms, outcome, route }, index) => (
        <li key={index}>
          {route !== undefined && `${route}: `}
          {attemptTook(attemptOutcomes[outcome] ?? outcome, seconds(ms))}
        </li>
      ))}
    </ol>
  )
}

/** Of what the cost was made: it is no sum of today's prices. */
const priceOf = (call: Call): ReadonlyArray<readonly [string, string]> => {
  if (call.cost_vnd === "0") return []
  const { models } = text()
  const words = usageText()
  const price =
    call.per_mtok_vnd === null
      ? `${money(String(call.per_request_vnd ?? 0))} ${isOfImages(call) ? models.perImage : models.perRequest}`
      : `${money(String(call.per_mtok_vnd))} ${models.perMtok}`
  const images = call.units === 1 ? [] : [words.images(number(call.units))]
  return [[words.price, [price, ...images, ...factorOf(call)].join(" × ")]]
}

const factorOf = ({ factor }: Call) => (factor === "1" ? [] : [decimal(factor)])

const isOfImages = ({ endpoint }: Call) => endpoint === "images_generations" || endpoint === "images_edits"

const othersOf = (call: Call): ReadonlyArray<readonly [string, string]> => {
  const words = usageText()
  return call.other_tokens.map((other) => {
    const name = other.model || words.unnamed
    const counted = words.otherCounted(name, number(other.input_tokens), number(other.output_tokens))
    const price = [`${money(String(other.per_mtok_vnd))} ${text().models.perMtok}`, ...factorOf(call)]
    return [
      words.otherTokens,
      `${counted} (${other.apart ? words.apart : words.within}), ${price.join(" × ")}`
    ]
  })
}

/** What the caller was told is kept nowhere: its type says as much as the page on how to call does. */
const FailureOf = ({ call }: { readonly call: Call }) => {
  const why = whyFailed(call)
  return (
    <>
      <code>{call.error_type}</code>
      {why !== undefined && <span class="block break-normal wrap-anywhere text-soft">{why}</span>}
    </>
  )
}

export const CallDetails = ({ call, onClose }: { readonly call: Call; readonly onClose: () => void }) => {
  const { common } = text()
  const words = usageText()
  const yesNo = (value: boolean) => (value ? common.yes : common.no)
  const rows: ReadonlyArray<readonly [string, ComponentChildren]> = [
    [words.time, exactTime(call.at)],
    [words.endpoint, <code>{call.endpoint}</code>],
    [words.columnModel, call.model || common.none],
    [words.modelRequested, call.model_requested],
    [words.columnKey, call.key_name || words.deletedKey],
    [
      words.columnStatus,
      <span class={`badge ${call.status < 400 ? "badge-good" : "badge-bad"}`}>{call.status}</span>
    ],
    ...(call.error_type === "" ? [] : [[words.errorType, <FailureOf call={call} />] as const]),
    [words.stream, yesNo(call.stream)],
    [words.input, number(call.input_tokens)],
    ...counted(words.cacheRead, call.cache_read_tokens),
    ...counted(words.cacheWritten, call.cache_write_tokens),
    [words.output, number(call.output_tokens)],
    ...counted(words.reasoning, call.reasoning_tokens),
    ...(call.tier === "" ? [] : [[words.tier, <code>{call.tier}</code>] as const]),
    ...priceOf(call),
    ...othersOf(call),
    ...call.tool_uses.map(
      ({ tool, uses, vnd }) => [words.toolUses, `${tool} × ${number(uses)} × ${money(vnd ?? "0")}`] as const
    ),
    ...(call.route ? [[words.route, <code>{call.route}</code>] as const] : []),
    ...(call.attempts.length === 0 ? [] : [[words.attempts, <Attempts attempts={call.attempts} />] as const]),
    [words.estimated, yesNo(call.estimated)],
    [words.columnLatency, seconds(call.latency_ms)],
    [words.firstByte, call.first_byte_ms === null ? common.none : seconds(call.first_byte_ms)],
    [words.columnCost, <Money vnd={call.cost_vnd} />]
  ]
  return (
    <Dialog title={words.details} onClose={onClose}>
      <div class="mb-4 flex items-center justify-between gap-2 rounded-xl bg-sunken py-1.5 pr-1.5 pl-4">
        <code class="break-all">{call.id}</code>
        <CopyButton value={call.id} label={common.copyThis(words.requestId)} />
      </div>
      <dl class="divide-y divide-line text-sm">
        {rows.map(([name, value]) => (
          <div key={name} class="flex justify-between gap-6 py-2">
            <dt class="max-w-[70%] shrink-0 text-faint">{name}</dt>
            <dd class="number text-right break-all whitespace-normal">{value}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
