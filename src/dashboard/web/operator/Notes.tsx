/** What operators noted about a customer, for each other. */
import { useId, useState } from "preact/hooks"
import { noteLengthMax } from "../../../domain/field-limits.ts"
import { get, post } from "../api.ts"
import { Button } from "../components/Button.tsx"
import { Form } from "../components/Form.tsx"
import { Card } from "../components/Layout.tsx"
import { PagedList } from "../components/PagedList.tsx"
import { dateTime } from "../language.ts"
import { may } from "../may.ts"
import { deskText } from "../text/desk.ts"
import { usePages } from "../use-pages.ts"
import { useSubmit } from "../use-submit.ts"

export const Notes = ({ accountId: id }: { readonly accountId: string }) => {
  const listed = usePages(
    async (before) => {
      const { next, notes } = await get("/operator/accounts/:id/notes", { before }, { id })
      return { items: notes, next }
    },
    [id]
  )
  const { notes: words } = deskText()
  return (
    <Card title={words.title} flush>
      {may("help") && <NoteForm accountId={id} onSaved={listed.again} />}
      <PagedList of={listed} empty={<p class="px-5 pb-5 text-sm text-soft">{words.none}</p>}>
        {(notes) => (
          <ul class="divide-y divide-line border-t border-line">
            {notes.map((note) => (
              <li key={note.id} class="px-5 py-3 text-sm">
                <p class="wrap-anywhere whitespace-pre-line">{note.text}</p>
                <p class="mt-1 text-xs break-all text-faint">
                  <span class="number">{dateTime(note.at)}</span> · {note.author}
                </p>
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </Card>
  )
}

const NoteForm = ({
  accountId: id,
  onSaved
}: {
  readonly accountId: string
  readonly onSaved: () => void
}) => {
  const [typed, setTyped] = useState("")
  const field = useId()
  const { notes: words } = deskText()
  const form = useSubmit(typed.trim() !== "", async () => {
    await post("/operator/accounts/:id/notes", { text: typed }, { id })
    setTyped("")
    onSaved()
  })
  return (
    <Form of={form} class="space-y-3 px-5 pb-5">
      <label for={field} class="block text-sm text-soft">
        {words.hint}
      </label>
      <textarea
        id={field}
        class="input h-auto py-2"
        rows={3}
        maxLength={noteLengthMax}
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <Button type="submit" disabled={form.isBusy || typed.trim() === ""}>
        {words.save}
      </Button>
    </Form>
  )
}
