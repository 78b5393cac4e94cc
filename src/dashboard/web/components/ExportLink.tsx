/** Downloads a CSV file. What a browser is refused as a file it tells nobody: so it is asked for first, and told on the page. */
import { ask } from "../api.ts"
import { download } from "../download.ts"
import { language } from "../language.ts"
import { useAction } from "../use-action.ts"
import { Icon } from "./Icon.tsx"

interface ExportLinkProperties {
  readonly label: string
  /** Where it is, with what stands between its cells. */
  readonly to: (separator: ";" | undefined) => string
}

export const ExportLink = ({ label, to }: ExportLinkProperties) => {
  // A Vietnamese Excel splits cells at semicolons.
  const href = to(language.value === "vi" ? ";" : undefined)
  const { isBusy, start } = useAction(async () => {
    await askFirst(href)
    // The file itself is the browser's: it may be larger than its memory.
    download(href)
  })
  return (
    <a
      class="button button-plain"
      href={href}
      download
      aria-disabled={isBusy}
      onClick={(event) => {
        event.preventDefault()
        if (!isBusy) start()
      }}
    >
      <Icon name="download" size={18} />
      {label}
    </a>
  )
}

/** For its head: a file that is begun and left stays one of the few at once for a while. Only a body says why it is refused. */
const askFirst = async (href: string) => {
  const { ok } = await fetch(href, { method: "HEAD" })
  if (!ok) await (await ask(href)).body?.cancel()
}
