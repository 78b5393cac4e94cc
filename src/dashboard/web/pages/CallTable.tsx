/** Each single call, newest first, and all that is known of one. */
import { useCallback, useEffect, useState } from "preact/hooks"
import type { Call } from "../answers.ts"
import { SearchField, Select } from "../components/Field.tsx"
import { Narrow } from "../components/Narrow.tsx"
import { Card, Empty, Money } from "../components/Layout.tsx"
import { PagedList } from "../components/PagedList.tsx"
import { right, Table } from "../components/Table.tsx"
import { dateTime, number } from "../language.ts"
import { usePapers } from "../papers.tsx"
import { seconds } from "../seconds.ts"
import { usageText } from "../text/usage.ts"
import { useRefresh } from "../use-load.ts"
import { usePages } from "../use-pages.ts"
import { CallDetails } from "./CallDetails.tsx"

type Query = Readonly<Record<string, string | number>>

/** `all`, `failed`, or one status. */
export const isOutcome = (text: string): boolean => /^(all|failed|[1-5]\d\d)$/.test(text)

/** What calls usually end with. */
const usualStatuses = "200 400 401 402 403 404 413 429 499 500 502 503 504".split(" ")

const outcomesWith = (outcome: string): ReadonlyArray<readonly [string, string]> => {
  const { outcomes } = usageText()
  const isUsual = outcome in outcomes || usualStatuses.includes(outcome)
  const statuses = isUsual ? usualStatuses : [...usualStatuses, outcome]
  return [...Object.entries(outcomes), ...statuses.map((status) => [status, status] as const)]
}

interface CallTableProperties {
  readonly query: Query
  readonly outcome: string
  readonly onNarrow: Narrowing
}

type Narrowing = (filters: {
  readonly key?: string
  readonly model?: string
  readonly outcome?: string
}) => void

const tailMs = 3_000
/** A tail that nobody stops stops by itself. */
const tailMsMax = 600_000

/** Asks for the newest calls every few seconds while the page is seen. */
const useTail = (again: () => void) => {
  const [isTailing, setTailing] = useState(false)
  const look = useCallback(() => isTailing && again(), [isTailing])
  useRefresh(look, tailMs)
  useEffect(() => {
    if (!isTailing) return
    const timer = setTimeout(setTailing, tailMsMax, false)
    return () => clearTimeout(timer)
  }, [isTailing])
  return [isTailing, setTailing] as const
}

export const CallTable = ({ query, outcome, onNarrow }: CallTableProperties) => {
  const [requestId, setRequestId] = useState("")
  const [chosen, setChosen] = useState<Call>()
  const asked: Query = outcome === "all" || outcome === "failed" ? { outcome } : { status: outcome }
  const question: Query = { ...query, ...asked, request_id: requestId.trim() }
  const papers = usePapers()
  const listed = usePages(
    async (before) => {
      const { calls, next } = await papers.calls({ ...question, before })
      return { items: calls, next }
    },
    [papers, JSON.stringify(question)]
  )
  const [isTailing, setTailing] = useTail(listed.again)
  const words = usageText()
  return (
    <Card
      title={words.callList}
      flush
      aside={
        <div class="flex w-full flex-wrap items-center gap-3 sm:w-auto">
          <div class="min-w-[min(14rem,100%)] flex-1">
            <SearchField label={words.findId} value={requestId} onText={setRequestId} />
          </div>
          <Select
            label={words.outcome}
            class="w-auto"
            value={outcome}
            options={outcomesWith(outcome)}
            onText={(outcome) => onNarrow({ outcome })}
          />
          <label class="flex items-center gap-2 text-sm whitespace-nowrap">
            <input
              type="checkbox"
              class="size-4"
              checked={isTailing}
              onChange={() => setTailing(!isTailing)}
            />
            {words.tail}
          </label>
        </div>
      }
    >
      <PagedList of={listed} empty={<Empty icon="terminal" title={words.empty} hint={words.emptyHint} />}>
        {(calls) => <Calls calls={calls} onChoose={setChosen} onNarrow={onNarrow} />}
      </PagedList>
      {chosen && <CallDetails call={chosen} onClose={() => setChosen(undefined)} />}
    </Card>
  )
}

interface CallsProperties {
  readonly calls: ReadonlyArray<Call>
  readonly onChoose: (call: Call) => void
  readonly onNarrow: Narrowing
}

const Calls = ({ calls, ...rest }: CallsProperties) => {
  const words = usageText()
  return (
    <Table
      compact
      head={[
        words.time,
        words.columnModel,
        words.columnKey,
        right(words.columnTokens),
        right(words.columnCost),
        right(words.columnLatency),
        right(words.columnStatus)
      ]}
    >
      {calls.map((call) => (
        <CallLine key={call.id} call={call} {...rest} />
      ))}
    </Table>
  )
}

const CallLine = ({ call, onChoose, onNarrow }: { readonly call: Call } & Omit<CallsProperties, "calls">) => {
  const words = usageText()
  return (
    <tr>
      <td data-label={words.time} class="number whitespace-nowrap">
        <button
          type="button"
          class="rounded underline decoration-line-strong underline-offset-4 hover:decoration-ink"
          onClick={() => onChoose(call)}
        >
          {dateTime(call.at)}
          <span class="sr-only">{`, ${words.details}: ${call.id}`}</span>
        </button>
      </td>
      <td data-label={words.columnModel} class="font-medium break-all">
        <Narrow
          name={call.model || call.model_requested}
          onChoose={call.model === "" ? undefined : () => onNarrow({ model: call.model })}
        />
      </td>
      <td
        data-label={words.columnKey}
        class="text-soft @min-[52rem]:max-w-36 @min-[52rem]:truncate"
        title={call.key_name}
      >
        <Narrow name={call.key_name || words.deletedKey} onChoose={() => onNarrow({ key: call.key_id })} />
      </td>
      <td data-label={words.columnTokens} class="right">
        <span>
          <span class="number">{number(call.input_tokens)}</span> <span class="text-faint">→</span>{" "}
          <span class="number">{number(call.output_tokens)}</span>
        </span>
      </td>
      <td data-label={words.columnCost} class="right">
        <Money vnd={call.cost_vnd} />
      </td>
      <td data-label={words.columnLatency} class="number right">
        {seconds(call.latency_ms)}
      </td>
      <td data-label={words.columnStatus} class="right">
        <Narrow
          class={`badge number ${call.status < 400 ? "badge-good" : "badge-bad"}`}
          name={String(call.status)}
          onChoose={() => onNarrow({ outcome: String(call.status) })}
        />
      </td>
    </tr>
  )
}
