/** In place of each page of an account that is closed. */
import { Button } from "../components/Button.tsx"
import { Empty, Page } from "../components/Layout.tsx"
import { text } from "../language.ts"
import { session, switchAccount } from "../session.ts"
import { tellFailure } from "../tell-failure.ts"
import { teamText } from "../text/team.ts"

export const ClosedAccount = () => {
  const person = session.value?.person
  const words = teamText()
  if (person === undefined) return null
  const { account_id: own, acting } = person
  const leave = () => void switchAccount(own).catch(tellFailure)
  return (
    <Page title={words.closed}>
      <div class="card">
        <Empty
          icon="alert"
          title={acting.email}
          hint={text().errors.codes.account_disabled}
          action={
            acting.account_id !== own && (
              <Button look="primary" onClick={leave}>
                {words.toOwn}
              </Button>
            )
          }
        />
      </div>
    </Page>
  )
}
