/** Margins by whatever they are grouped by; each row narrows the page to itself. */
import { csvCustomersMax } from "../../../domain/field-limits.ts"
import { Empty, Money } from "../components/Layout.tsx"
import { Narrow } from "../components/Narrow.tsx"
import { right, Table } from "../components/Table.tsx"
import { hour, namedDay, number } from "../language.ts"
import { marginText } from "../text/margin.ts"
import type { MarginReport, MarginRow } from "./answers.ts"

interface TableProperties {
  readonly report: MarginReport
  readonly by: keyof ReturnType<typeof marginText>["margin"]["groups"]
  readonly onNarrow: (group: string) => void
}

export const MarginTable = ({ by, onNarrow, report }: TableProperties) => {
  const words = marginText().margin
  if (report.rows.length === 0) return <Empty icon="chart" title={words.nothing} />
  return (
    <>
      <Table
        head={[
          words.groups[by],
          ...[words.calls, words.revenue, words.cost, words.margin, words.percent].map(right)
        ]}
      >
        {report.rows.map((row) => (
          <tr key={row.group}>
            <td class="lead font-medium wrap-anywhere whitespace-normal">
              <Narrow
                name={by === "day" ? namedDay(row.group) : row.name || words.unknown}
                onChoose={row.group === "" ? undefined : () => onNarrow(row.group)}
              />
            </td>
            <td data-label={words.calls} class="number right text-soft">
              {number(row.calls)}
            </td>
            <td data-label={words.revenue} class="right">
              <Money vnd={row.revenue_vnd} />
            </td>
            <td data-label={words.cost} class="right">
              <Cost row={row} />
            </td>
            <td data-label={words.margin} class="right">
              <Money vnd={row.margin_vnd} class={row.is_below ? "text-danger" : ""} />
            </td>
            <td data-label={words.percent} class="right">
              <span class="inline-flex items-center gap-2">
                {row.is_below && <span class="badge badge-bad">{words.below}</span>}
                <span class="number">
                  {row.margin_percent === null ? "–" : `${number(Number(row.margin_percent))}%`}
                </span>
              </span>
            </td>
          </tr>
        ))}
      </Table>
      {(report.groups > report.rows.length || report.ranked_at !== null) && (
        <p class="border-t border-line px-5 py-3 text-sm text-soft">
          {report.groups > report.rows.length &&
            `${words.more(number(report.rows.length), number(report.groups), number(rowsInCsv(report.groups)))} `}
          {report.ranked_at !== null && words.rankedAt(hour(report.ranked_at))}
        </p>
      )}
    </>
  )
}

const rowsInCsv = (groups: number): number => Math.min(groups, csvCustomersMax)

/** Where nothing has a price, there is no cost to tell. */
const Cost = ({ row }: { readonly row: MarginRow }) =>
  row.unpriced_calls > 0 && row.unpriced_calls === row.calls ? (
    <span class="badge badge-warn">{marginText().margin.unpriced}</span>
  ) : (
    <Money vnd={row.cost_vnd} />
  )
