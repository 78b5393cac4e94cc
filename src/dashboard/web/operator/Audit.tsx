/** Who did what, newest first; what is asked for stands in the address. */
import { type AuditAction, auditActions, purchaseActions } from "../../../domain/audit-actions.ts"
import { apiUrl, get } from "../api.ts"
import { Button } from "../components/Button.tsx"
import { Days } from "../components/Days.tsx"
import { ExportLink } from "../components/ExportLink.tsx"
import { SearchField, Select } from "../components/Field.tsx"
import { Empty, Page } from "../components/Layout.tsx"
import { PagedList } from "../components/PagedList.tsx"
import { language, text } from "../language.ts"
import { may } from "../may.ts"
import { auditText } from "../text/audit.ts"
import { usePages } from "../use-pages.ts"
import { useQuery } from "../use-query.ts"
import { AuditTable } from "./AuditTable.tsx"

const everything = { actor: "", action: "", subject: "", from: "", to: "" }
type Filters = typeof everything

/** One that there is none of asks for all. */
const queryOf = ({ action, ...filters }: Filters) => ({
  ...filters,
  action: auditActions.find((one): one is AuditAction => one === action)
})

export const Audit = () => {
  const [filters, change] = useQuery(everything)
  const query = queryOf(filters)
  const list = usePages(
    async (before) => {
      const { entries, next } = await get("/operator/audit", { ...query, before })
      return { items: entries, next }
    },
    [JSON.stringify(query)]
  )
  const words = auditText()
  const isNarrowed = Object.values(filters).some((value) => value !== "")
  return (
    <Page title={words.title} intro={words.intro} actions={<Export of={filters} />}>
      <FilterFields value={filters} onChange={change} />
      <div class="card">
        <PagedList
          of={list}
          empty={
            <Empty
              icon="list"
              title={words.none}
              action={isNarrowed && <Button onClick={() => change(everything)}>{text().models.clear}</Button>}
            />
          }
        >
          {(entries) => <AuditTable entries={entries} />}
        </PagedList>
      </div>
    </Page>
  )
}

const Export = ({ of }: { readonly of: Filters }) => (
  <ExportLink
    label={auditText().exportCsv}
    to={(sep) => apiUrl("/operator/audit.csv", { ...queryOf(of), sep })}
  />
)

interface FilterFieldsProperties {
  readonly value: Filters
  readonly onChange: (changes: Partial<Filters>) => void
}

const FilterFields = ({ onChange, value }: FilterFieldsProperties) => {
  const { action: actionLabel, actions: inWords, filters: words } = auditText()
  const hidden: ReadonlyArray<AuditAction> = may("money") ? [] : purchaseActions
  const actions = auditActions
    .filter((action) => !hidden.includes(action))
    .map((action) => [action, inWords[action]] as const)
    .toSorted(([, one], [, other]) => one.localeCompare(other, language.value))
  return (
    <div class="mb-4 flex flex-wrap items-center gap-3">
      <div class="min-w-[min(14rem,100%)] flex-1 sm:max-w-64">
        <SearchField label={words.actor} value={value.actor} onText={(actor) => onChange({ actor })} />
      </div>
      <div class="min-w-[min(14rem,100%)] flex-1 sm:max-w-64">
        <SearchField
          label={words.subject}
          value={value.subject}
          onText={(subject) => onChange({ subject })}
        />
      </div>
      <Select
        label={actionLabel}
        class="w-full! max-w-full sm:w-auto!"
        value={value.action}
        options={[["", words.allActions], ...actions]}
        onText={(action) => onChange({ action })}
      />
      <Days labels={[words.from, words.to]} value={{ from: value.from, to: value.to }} onChange={onChange} />
    </div>
  )
}
