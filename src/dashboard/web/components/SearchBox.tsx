/** Where operators look for anything. */
import { useState } from "preact/hooks"
import { withoutSecret } from "../../../domain/key-hint.ts"
import { text } from "../language.ts"
import { navigate } from "../router.ts"
import { SearchField } from "./Field.tsx"

export const SearchBox = () => {
  const [typed, setTyped] = useState("")
  const find = (event: Event) => {
    event.preventDefault()
    navigate(`/operator/search?${new URLSearchParams({ q: withoutSecret(typed.trim()) })}`)
    setTyped("")
  }
  return (
    <form role="search" class="mb-1.5 px-1" onSubmit={find}>
      <SearchField label={text().nav.find} value={typed} onText={setTyped} />
    </form>
  )
}
