/** What was done in the account, and by whom. */
import { useState } from "preact/hooks"
import { type ActivityKind, activityKinds } from "../../../domain/account-activities.ts"
import { get } from "../api.ts"
import { ActionTable } from "../components/ActionTable.tsx"
import { Select } from "../components/Field.tsx"
import { Empty, Page } from "../components/Layout.tsx"
import { PagedList } from "../components/PagedList.tsx"
import { teamText } from "../text/team.ts"
import { usePages } from "../use-pages.ts"

export const Activity = () => {
  const [person, setPerson] = useState("")
  const [kind, setKind] = useState<ActivityKind | "">("")
  const [people, setPeople] = useState<ReadonlyArray<{ readonly id: string; readonly email: string }>>([])
  const list = usePages(
    async (before) => {
      const answer = await get("/activity", { before, person, kind })
      setPeople(answer.people)
      return { items: answer.entries, next: answer.next }
    },
    [person, kind]
  )
  const { activity: words } = teamText()
  const kinds = activityKinds.map((each) => [each, words.kinds[each]] as const)
  return (
    <Page title={words.title} intro={words.intro}>
      <div class="mb-4 flex flex-wrap gap-3">
        <Select
          label={words.kind}
          value={kind}
          options={[["", words.allKinds], ...kinds]}
          onText={(chosen) => setKind(activityKinds.find((each) => each === chosen) ?? "")}
          class="w-full! sm:w-56!"
        />
        <Select
          label={words.person}
          value={person}
          options={[["", words.everybody], ...people.map(({ email, id }) => [id, email] as const)]}
          onText={setPerson}
          class="w-full! sm:w-72!"
        />
      </div>
      <div class="card">
        <PagedList of={list} empty={<Empty icon="list" title={words.none} />}>
          {(entries) => (
            <ActionTable
              actions={entries.map((entry) => ({ ...entry, actor: entry.actor ?? words.operator }))}
            />
          )}
        </PagedList>
      </div>
    </Page>
  )
}
