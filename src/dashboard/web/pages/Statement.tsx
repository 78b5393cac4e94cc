/** Every movement of the wallet, with the balance after each; to be read, downloaded and printed. */
import { useEffect, useMemo, useState } from "preact/hooks"
import { apiUrl } from "../api.ts"
import { Button } from "../components/Button.tsx"
import { Days } from "../components/Days.tsx"
import { ExportLink } from "../components/ExportLink.tsx"
import { Choice } from "../components/Field.tsx"
import { Card, Empty, FigureSkeleton, Money, Stat } from "../components/Layout.tsx"
import { PagedList } from "../components/PagedList.tsx"
import { toast } from "../components/Toasts.tsx"
import { namedDay } from "../language.ts"
import type { StatementLine, StatementPage, StatementSums } from "../answers.ts"
import { PaperPage, placeInAddress, useIsOwn, usePapers } from "../papers.tsx"
import { tellFailure } from "../tell-failure.ts"
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
  const [query, change] = useQuery({ ...placeInAddress, ...usual, from: today, to: today })
  const { from, to } = query
  const name = statementPeriods.find((one) => one === query.period) ?? "thisMonth"
  const period = useMemo(
    () => statementPeriodOf(name, { from, to }, Date.now()),
    [name, from, to, dayText(Date.now())]
  )
  const words = statementText()
  return (
    <PaperPage title={words.title} intro={words.intro}>
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
    </PaperPage>
  )
}

const printedLinesMax = 5_000

const Account = ({ of: period }: { readonly of: StatementPeriod }) => {
  const [sums, setSums] = useState<StatementSums>()
  const isOwn = useIsOwn()
  const papers = usePapers()
  const loadPage = async (after: string | undefined) => {
    const page = await papers.statement({ from: period.from, to: period.to, after })
    // Calls may have come since the page before.
    setSums(page)
    return page
  }
  const listed = usePages(async (after) => {
    const { lines, next } = await loadPage(after)
    return { items: lines, next }
  }, [])
  const { print, rest } = usePrint(loadPage, listed.items.length, listed.next)
  const words = statementText()
  const items = [...listed.items, ...rest]
  const shown = { ...listed, items, next: rest.length > 0 ? null : listed.next }
  return (
    <div class="space-y-6">
      <div class="flex flex-wrap items-center justify-between gap-3">
        <p class="number font-medium">
          {period.from === undefined
            ? words.until(namedDay(period.to))
            : `${namedDay(period.from)} – ${namedDay(period.to)}`}
        </p>
        <div class="flex flex-wrap gap-2">
          {isOwn && <Export of={period} />}
          <Button icon="print" onClick={print} disabled={sums === undefined || listed.isLoading}>
            {words.print}
          </Button>
        </div>
      </div>
      {isOwn && <Parties />}
      {(sums || listed.failure === undefined) && <Sums of={sums} />}
      <Card title={words.lines} flush>
        <PagedList of={shown} empty={<Empty icon="receipt" title={words.empty} hint={words.emptyHint} />}>
          {(lines: ReadonlyArray<StatementLine>) => <StatementTable lines={lines} />}
        </PagedList>
      </Card>
      <p class="text-sm text-soft">{words.byDay}</p>
    </div>
  )
}

const Export = ({ of: { from, to } }: { readonly of: StatementPeriod }) => (
  <ExportLink label={statementText().exportCsv} to={(sep) => apiUrl("/statement.csv", { from, to, sep })} />
)

/** Loads what is missing first, since only what is shown is printed. */
const usePrint = (
  loadPage: (after: string) => Promise<StatementPage>,
  shownLines: number,
  next: string | null
) => {
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
      const page = await loadPage(after)
      lines.push(...page.lines)
      after = page.next
    }
    if (lines.length > 0) setRest(lines)
    setDue(true)
  }
  return { rest, print: () => void load().catch(tellFailure) }
}

const Sums = ({ of }: { readonly of: StatementSums | undefined }) => {
  const words = statementText()
  const shown = (vnd: string | undefined) => (vnd === undefined ? <FigureSkeleton /> : <Money vnd={vnd} />)
  return (
    <div class="grid gap-4 sm:grid-cols-2 lg:grid-cols-4 print:grid-cols-4">
      <Stat label={words.opening} value={shown(of?.opening_vnd)} />
      <Stat label={words.added} value={shown(of?.added_vnd)} />
      <Stat label={words.taken} value={shown(of?.taken_vnd)} />
      <Stat label={words.closing} value={shown(of?.closing_vnd)} />
    </div>
  )
}
