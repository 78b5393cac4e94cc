/** What was done in the account, and by whom. */
import { useState } from "preact/hooks"
import { type ActivityKind, activityKinds } from "../../../domain/account-activities.ts"
import { get } from "../api.ts"
import type { Activity as Entry } from "../answers.ts"
import { ActionDetails } from "../components/ActionDetails.tsx"
import { Select } from "../components/Field.tsx"
import { Empty, Page } from "../components/Layout.tsx"
import { PagedList } from "../components/PagedList.tsx"
import { dateTime, exactTime } from "../language.ts"
import { operatorText } from "../text/operator.ts"
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
          {(entries) => <ActivityTable entries={entries} />}
        </PagedList>
      </div>
    </Page>
  )
}

const ActivityTable = ({ entries }: { readonly entries: ReadonlyArray<Entry> }) => {
  const { audit } = operatorText()
  const { activity: words } = teamText()
  const actions: Readonly<Record<string, string>> = audit.actions
  return (
    <table class="table">
      <thead>
        <tr>
          <th scope="col">{audit.time}</th>
          <th scope="col">{audit.actor}</th>
          <th scope="col">{audit.action}</th>
          <th scope="col">{audit.subject}</th>
          <th scope="col">{audit.detail}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td
              data-label={audit.time}
              class="number whitespace-nowrap text-soft"
              title={exactTime(entry.at)}
            >
              {dateTime(entry.at)}
            </td>
            <td data-label={audit.actor} class="wrap-anywhere">
              {entry.actor ?? words.operator}
            </td>
            <td data-label={audit.action}>{actions[entry.action] ?? entry.action}</td>
            <td data-label={audit.subject} class="wrap-anywhere">
              {entry.subject}
            </td>
            <td data-label={audit.detail} class="text-xs wrap-anywhere text-soft @min-[52rem]:max-w-xs">
              <ActionDetails action={entry.action} detail={entry.detail} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
