/** Where the link of an invitation leads. */
import { useState } from "preact/hooks"
import { ApiError, post } from "../api.ts"
import { Button } from "../components/Button.tsx"
import { Form } from "../components/Form.tsx"
import { Card, Page, Show } from "../components/Layout.tsx"
import { toast } from "../components/Toasts.tsx"
import { exactTime } from "../language.ts"
import { session, switchAccount } from "../session.ts"
import { teamText } from "../text/team.ts"
import { useLoad } from "../use-load.ts"
import { useSubmit } from "../use-submit.ts"

const isForm = /^[0-9A-Za-z]{40}$/

/** What there is to say of it, or why there is nothing. */
const look = async (token: string) => {
  if (!isForm.test(token)) return { problem: "over" } as const
  try {
    return await post("/invitations/look", { token })
  } catch (error) {
    if (error instanceof ApiError && error.code === "not_found") return { problem: "over" } as const
    if (error instanceof ApiError && error.code === "invitation_not_yours")
      return { problem: "notYours" } as const
    throw error
  }
}

export const Join = () => {
  const [token] = useState(() => new URLSearchParams(location.search).get("token") ?? "")
  const invitation = useLoad(() => look(token), [])
  const words = teamText()
  return (
    <Page title={words.joinTitle}>
      <div class="max-w-xl">
        <Card>
          <Show of={invitation}>
            {(data) =>
              "problem" in data ? (
                <p class="text-soft">
                  {words[data.problem]}{" "}
                  {data.problem === "notYours" && (
                    <span class="wrap-anywhere">({session.value?.person?.email})</span>
                  )}
                </p>
              ) : (
                <Accept of={data} token={token} onOver={invitation.reload} />
              )
            }
          </Show>
        </Card>
      </div>
    </Page>
  )
}

type Found = Exclude<Awaited<ReturnType<typeof look>>, { problem: string }>

interface AcceptProperties {
  readonly of: Found
  readonly token: string
  /** It was taken back, or the account closed, since it was looked at. */
  readonly onOver: () => void
}

const Accept = ({ of, onOver, token }: AcceptProperties) => {
  const words = teamText()
  const form = useSubmit(true, async () => {
    const { account_id: accountId } = await post("/invitations/accept", { token }).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === "not_found") onOver()
      throw error
    })
    toast(words.joined)
    await switchAccount(accountId)
  })
  return (
    <Form of={form} class="space-y-3">
      <p class="wrap-anywhere">{words.joinIntro(of.account, words.roles[of.role])}</p>
      <p class="text-sm wrap-anywhere text-soft">
        {words.roleHints[of.role]} {words.invitedBy(of.invited_by)}
      </p>
      <p class="text-sm text-faint">{words.until(exactTime(of.expires_at))}</p>
      <Button type="submit" look="primary" disabled={form.isBusy}>
        {words.join}
      </Button>
    </Form>
  )
}
