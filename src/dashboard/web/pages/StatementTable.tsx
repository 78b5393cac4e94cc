/** The lines of a statement: calls open into themselves, top-ups into their receipt. */
import { ButtonLink, Link } from "../components/Button.tsx"
import { Money } from "../components/Layout.tsx"
import { right, Table } from "../components/Table.tsx"
import { namedDay, number, shortNumber } from "../language.ts"
import type { StatementLine } from "../answers.ts"
import { useIsOwn, usePapers } from "../papers.tsx"
import { reasonOf } from "../reason-of.ts"
import { statementText } from "../text/statement.ts"

export const StatementTable = ({ lines }: { readonly lines: ReadonlyArray<StatementLine> }) => {
  const words = statementText()
  return (
    <Table head={[words.columnDay, words.columnWhat, right(words.columnAmount), right(words.columnBalance)]}>
      {lines.map((line) => (
        <Line key={line.kind === "calls" ? `${line.day} ${line.model}` : line.id} of={line} />
      ))}
    </Table>
  )
}

const Line = ({ of: line }: { readonly of: StatementLine }) => {
  const words = statementText()
  const day = namedDay(line.day)
  return (
    <tr>
      <td data-label={words.columnDay} class="number whitespace-nowrap">
        {day}
      </td>
      <td data-label={words.columnWhat}>
        {line.kind === "calls" ? <Calls of={line} day={day} /> : <Entry of={line} />}
      </td>
      <td data-label={words.columnAmount} class="right">
        <Money
          vnd={line.amount_vnd}
          class={line.amount_vnd.startsWith("-") ? "" : "font-medium text-accent-ink"}
        />
      </td>
      <td data-label={words.columnBalance} class="right">
        <Money vnd={line.balance_vnd} />
      </td>
    </tr>
  )
}

type Of<Kind> = Extract<StatementLine, { readonly kind: Kind }>

const Calls = ({ day, of: line }: { readonly of: Of<"calls">; readonly day: string }) => {
  const words = statementText()
  const { usageAt } = usePapers()
  const tokens = shortNumber(line.input_tokens + line.output_tokens)
  return (
    <span>
      <Link
        to={usageAt({ period: "custom", from: line.day, to: line.day, model: line.model })}
        class="rounded font-medium break-all underline decoration-line-strong underline-offset-4 hover:decoration-ink"
      >
        <span class="sr-only">{`${words.openCalls(line.model, day)}: `}</span>
        <span aria-hidden="true">{line.model}</span>
      </Link>
      <span class="block text-[0.8125rem] text-faint">{words.calls(number(line.calls), tokens)}</span>
    </span>
  )
}

const Entry = ({ of: line }: { readonly of: Of<"top_up" | "credit" | "correction"> }) => {
  const words = statementText()
  const isOwn = useIsOwn()
  return (
    <span class="flex flex-wrap items-center justify-end gap-x-3 @min-[52rem]:justify-start print:justify-start">
      <span>
        <span class="font-medium">{words.kinds[line.kind]}</span>
        <span class="block text-[0.8125rem] text-faint wrap-anywhere">{reasonOf(line.reason)}</span>
      </span>
      {line.kind === "top_up" && isOwn && (
        <ButtonLink to={`/receipt?id=${line.id}`} look="quiet" small icon="receipt">
          {words.receipt}
        </ButtonLink>
      )}
    </span>
  )
}
