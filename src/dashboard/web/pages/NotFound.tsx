/** For addresses that lead nowhere, or not for this person. */
import { ButtonLink } from "../components/Button.tsx"
import { Empty, Page } from "../components/Layout.tsx"
import { text } from "../language.ts"

export const NotFound = () => (
  <Page title={text().common.notFound}>
    <div class="card">
      <Empty
        icon="search"
        title={text().common.notFoundHint}
        action={<ButtonLink to="/">{text().common.goHome}</ButtonLink>}
      />
    </div>
  </Page>
)
