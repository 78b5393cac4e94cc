/** A table of records; where there is little room the look makes a card of each row. */
import type { ComponentChildren } from "preact"
import { text } from "../language.ts"

interface Column {
  readonly name: string
  readonly look: "right" | "unseen"
}

/** Of figures. */
export const right = (name: string): Column => ({ name, look: "right" })

/** Of buttons, which say to those who see them what they are. */
export const actionsColumn = (): Column => ({ name: text().common.actions, look: "unseen" })

interface TableProperties {
  readonly head: ReadonlyArray<string | Column>
  readonly compact?: boolean
  readonly children: ComponentChildren
}

export const Table = ({ children, compact = false, head }: TableProperties) => (
  <table class={`table ${compact ? "compact" : ""}`}>
    <thead>
      <tr>
        {head.map((column) => (typeof column === "string" ? <Head name={column} /> : <Head {...column} />))}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
)

const Head = ({ look, name }: { readonly name: string; readonly look?: Column["look"] }) => (
  <th scope="col" class={look === "right" ? look : undefined}>
    {look === "unseen" ? <span class="sr-only">{name}</span> : name}
  </th>
)
