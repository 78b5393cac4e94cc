/** Each single call, newest first, and all that is known of one. */
import { useState } from "preact/hooks"
import { get } from "../api.ts"
import type { Call } from "../answers.ts"
import { Choice, SearchField } from "../components/Field.tsx"
import { Narrow } from "../components/Narrow.tsx"
import { Card, Empty, Money } from "../components/Layout.tsx"
import { PagedList } from "../components/PagedList.tsx"
import { dateTime, number } from "../language.ts"
import { usageText } from "../text/usage.ts"
import { usePages } from "../use-pages.ts"
import { CallDetails } from "./CallDetails.tsx"

type Query = Readonly<Record<string, string | number>>

const loadCalls = async (query: Query, before: string | undefined) => {
  const { calls, next } = await get("/calls", {
    ...query,
    before
  })
  return { items: calls, next }
}

type Outcome = "all" | "failed"

interface CallTableProperties {
  readonly query: Query
  readonly outcome: Outcome
  readonly onOutcome: (outcome: Outcome) => void
  readonly onNarrow: Narrowing
}

type Narrowing = (filters: {
  readonly key?: string
  readonly model?: string
  readonly outcome?: Outcome
}) => void

export const CallTable = ({ query, outcome, onNarrow, onOutcome }: CallTableProperties) => {
  const [requestId, setRequestId] = useState("")
  const [chosen, setChosen] = useState<Call>()
  const question = { ...query, outcome, request_id: requestId.trim() }
  const listed = usePages((before) => loadCalls(question, before), [JSON.stringify(question)])
  const words = usageText()
  return (
    <Card
      title={words.callList}
      flush
      aside={
        <div class="flex w-full flex-wrap items-center gap-3 sm:w-auto">
          <div class="min-w-56 flex-1">
            <SearchField label={words.findId} value={requestId} onText={setRequestId} />
          </div>
          <Choice
            label={words.outcome}
            value={outcome}
            options={[
              ["all", words.outcomes.all],
              ["failed", words.outcomes.failed]
            ]}
            onChoose={onOutcome}
          />
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
    <table class="table compact">
      <thead>
        <tr>
          <th scope="col">{words.time}</th>
          <th scope="col">{words.columnModel}</th>
          <th scope="col">{words.columnKey}</th>
          <th scope="col" class="right">
            {words.columnTokens}
          </th>
          <th scope="col" class="right">
            {words.columnCost}
          </th>
          <th scope="col" class="right">
            {words.columnLatency}
          </th>
          <th scope="col" class="right">
            {words.columnStatus}
          </th>
        </tr>
      </thead>
      <tbody>
        {calls.map((call) => (
          <CallLine key={call.id} call={call} {...rest} />
        ))}
      </tbody>
    </table>
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
        {number(call.latency_ms)} ms
      </td>
      <td data-label={words.columnStatus} class="right">
        <Narrow
          class={`badge number ${call.status < 400 ? "badge-good" : "badge-bad"}`}
          name={String(call.status)}
          onChoose={call.status < 400 ? undefined : () => onNarrow({ outcome: "failed" })}
        />
      </td>
    </tr>
  )
}
