/** Every movement of the wallet, with the balance after each; to be read, downloaded and printed. */
import { useEffect, useMemo, useState } from "preact/hooks"
import { apiUrl, explain, get } from "../api.ts"
import { Button } from "../components/Button.tsx"
import { Days } from "../components/Days.tsx"
import { Choice } from "../components/Field.tsx"
import { Icon } from "../components/Icon.tsx"
import { Card, Empty, Money, Page, Stat } from "../components/Layout.tsx"
import { PagedList } from "../components/PagedList.tsx"
import { toast } from "../components/Toasts.tsx"
import { fullDay, language } from "../language.ts"
import type { StatementLine, StatementPage, StatementSums } from "../answers.ts"
import { statementText } from "../text/statement.ts"
import { usePages } from "../use-pages.ts"
import { useQuery } from "../use-query.ts"
import { dayText } from "../../../domain/vietnam-days.ts"
import { Parties } from "./Parties.tsx"
import { type StatementPeriod, statementPeriodOf, statementPeriods } from "./statement-period.ts"
import { StatementTable } from "./StatementTable.tsx"

const usual = { period: "thisMonth" }

export const Statement = () => {
  const [today] = useState(() => dayText(Date.now()))
  const [query, change] = useQuery({ ...usual, from: today, to: today })
  const { from, to } = query
  const name = statementPeriods.find((one) => one === query.period) ?? "thisMonth"
  const period = useMemo(() => statementPeriodOf(name, { from, to }, Date.now()), [name, from, to])
  const words = statementText()
  return (
    <Page title={words.title} intro={words.intro}>
      <div class="mb-6 flex flex-wrap items-center gap-3 print:hidden!">
        <Choice
          label={words.period}
          value={name}
          options={statementPeriods.map((option) => [option, words.periods[option]])}
          onChoose={(period) => change({ period })}
        />
        {name === "custom" && <Days labels={[words.from, words.to]} value={{ from, to }} onChange={change} />}
      </div>
      {period ? (
        <Account key={`${period.from} ${period.to}`} of={period} />
      ) : (
        <div class="card">
          <Empty icon="receipt" title={words.badPeriod} hint={words.badPeriodHint} />
        </div>
      )}
    </Page>
  )
}

const printedLinesMax = 5_000

const loadPage = ({ from, to }: StatementPeriod, after: string | undefined) =>
  get("/statement", { from, to, after })

const Account = ({ of: period }: { readonly of: StatementPeriod }) => {
  const [sums, setSums] = useState<StatementSums>()
  const listed = usePages(async (after) => {
    const page = await loadPage(period, after)
    if (after === undefined) setSums(page)
    return { items: page.lines, next: page.next }
  }, [])
  const { print, rest } = usePrint(period, listed.items.length, listed.next)
  const words = statementText()
  const items = [...listed.items, ...rest]
  const shown = { ...listed, items, next: rest.length > 0 ? null : listed.next }
  return (
    <div class="space-y-6">
      <div class="flex flex-wrap items-center justify-between gap-3">
        <p class="number font-medium">
          {period.from === undefined
            ? words.until(writtenDay(period.to))
            : `${writtenDay(period.from)} – ${writtenDay(period.to)}`}
        </p>
        <div class="flex flex-wrap gap-2">
          <a
            class="button button-plain"
            href={apiUrl("/statement.csv", {
              from: period.from,
              to: period.to,
              // A Vietnamese Excel splits cells at semicolons.
              sep: language.value === "vi" ? ";" : undefined
            })}
            download
          >
            <Icon name="download" size={18} />
            {words.exportCsv}
          </a>
          <Button icon="print" onClick={print} disabled={sums === undefined || listed.isLoading}>
            {words.print}
          </Button>
        </div>
      </div>
      <Parties />
      {sums && <Sums of={sums} />}
      <Card title={words.lines} flush>
        <PagedList of={shown} empty={<Empty icon="receipt" title={words.empty} hint={words.emptyHint} />}>
          {(lines: ReadonlyArray<StatementLine>) => <StatementTable lines={lines} />}
        </PagedList>
      </Card>
      <p class="text-sm text-soft">{words.byDay}</p>
    </div>
  )
}

const writtenDay = (day: string) => fullDay(Date.parse(`${day}T12:00:00+07:00`))

/** Loads what is missing first, since only what is shown is printed. */
const usePrint = (period: StatementPeriod, shownLines: number, next: string | null) => {
  const [rest, setRest] = useState<ReadonlyArray<StatementLine>>([])
  const [isDue, setDue] = useState(false)
  useEffect(() => {
    if (!isDue) return
    setDue(false)
    globalThis.print()
  }, [isDue])
  const load = async () => {
    const lines: Array<StatementLine> = []
    let after = rest.length > 0 ? null : next
    while (after !== null) {
      if (shownLines + lines.length > printedLinesMax) return toast(statementText().tooLong, "bad")
      const page: StatementPage = await loadPage(period, after)
      lines.push(...page.lines)
      after = page.next
    }
    if (lines.length > 0) setRest(lines)
    setDue(true)
  }
  return { rest, print: () => void load().catch((error: unknown) => toast(explain(error), "bad")) }
}

const Sums = ({ of }: { readonly of: StatementSums }) => {
  const words = statementText()
  return (
    <div class="grid gap-4 sm:grid-cols-2 lg:grid-cols-4 print:grid-cols-4">
      <Stat label={words.opening} value={<Money vnd={of.opening_vnd} />} />
      <Stat label={words.added} value={<Money vnd={of.added_vnd} />} />
      <Stat label={words.taken} value={<Money vnd={of.taken_vnd} />} />
      <Stat label={words.closing} value={<Money vnd={of.closing_vnd} />} />
    </div>
  )
}
