/** What a customer was sent by mail and webhook and how that went, and how they sign in: for whoever says that nothing came. */
import type { ComponentChildren } from "preact"
import { useContext } from "preact/hooks"
import { oauthNames } from "../../../domain/oauth-providers.ts"
import { get } from "../api.ts"
import { DeliveryLine } from "../components/DeliveryLine.tsx"
import { Card, Empty, Show } from "../components/Layout.tsx"
import { PagedList } from "../components/PagedList.tsx"
import { ago, dateTime, fullDay } from "../language.ts"
import { Customer } from "../papers.tsx"
import { accountText } from "../text/account.ts"
import { alertsText, outcomeText } from "../text/alerts.ts"
import { deskText } from "../text/desk.ts"
import { useLoad } from "../use-load.ts"
import { usePages } from "../use-pages.ts"
import type { ToldOf, WaysIn } from "./answers.ts"

export const AccountMail = () => {
  const id = useContext(Customer) ?? ""
  const told = useLoad(() => get("/operator/accounts/:id/alerts", {}, { id }), [id])
  const ways = useLoad(() => get("/operator/accounts/:id/ways-in", {}, { id }), [id])
  const { mail: words } = deskText()
  return (
    <div class="space-y-6">
      <div class="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-2">
        <Card title={words.wanted}>
          <Show of={told} rows={3}>
            {(data) => <Wanted of={data} />}
          </Show>
        </Card>
        <Card title={words.waysIn}>
          <Show of={ways} rows={3}>
            {({ person }) =>
              person === null ? <p class="text-sm text-soft">{words.nobody}</p> : <Ways of={person} />
            }
          </Show>
        </Card>
      </div>
      <Deliveries id={id} />
    </div>
  )
}

const Deliveries = ({ id }: { readonly id: string }) => {
  const { mail: words } = deskText()
  const list = usePages(
    async (after) => {
      const page = await get("/operator/accounts/:id/deliveries", { after }, { id })
      return { items: page.deliveries, next: page.next }
    },
    [id]
  )
  return (
    <Card title={words.sent} flush>
      <p class="px-5 pb-4 text-sm text-soft">{words.sentHint}</p>
      <PagedList of={list} empty={<Empty icon="list" title={alertsText().logEmpty} />}>
        {(items) => (
          <ul class="divide-y divide-line border-t border-line">
            {items.map((delivery) => (
              <DeliveryLine key={delivery.id} of={delivery} when={dateTime(delivery.created_at)} />
            ))}
          </ul>
        )}
      </PagedList>
    </Card>
  )
}

const Wanted = ({ of }: { readonly of: ToldOf }) => {
  const { mail: words } = deskText()
  const { kinds, noWebhooks, paused } = alertsText()
  const named = (list: ToldOf["mail"]) => list.map((kind) => kinds[kind]).join(", ")
  return (
    <dl class="-my-2 divide-y divide-line text-sm">
      <Fact name={words.mailTo(of.email)}>{of.mail.length === 0 ? words.noMail : named(of.mail)}</Fact>
      {of.webhooks.length === 0 && <Fact name={words.webhook}>{noWebhooks}</Fact>}
      {of.webhooks.map((webhook) => (
        <Fact key={webhook.id} name={webhook.host} badge={webhook.paused ? paused : undefined}>
          {named(webhook.kinds)}
        </Fact>
      ))}
    </dl>
  )
}

const Ways = ({ of }: { readonly of: WaysIn }) => {
  const { mail: words } = deskText()
  const { lastSeen, sessions } = accountText()
  const ways = [
    ...(of.has_password ? [words.password] : []),
    ...(of.has_totp ? [words.totp] : []),
    ...(of.passkeys > 0 ? [words.passkeys(of.passkeys)] : []),
    ...of.elsewhere.map(({ provider, since }) => words.elsewhere(oauthNames[provider], fullDay(since)))
  ]
  return (
    <dl class="-my-2 divide-y divide-line text-sm">
      <Fact name={words.by}>{ways.length === 0 ? words.noWay : ways.join(", ")}</Fact>
      <Fact name={words.address}>{of.is_verified ? words.verified : words.unverified}</Fact>
      <Fact name={sessions}>
        {of.sessions.length === 0
          ? words.signedOut
          : of.sessions.map((session) => (
              <span key={session.created_at} class="block">
                {words.since(dateTime(session.created_at))} ·{" "}
                {lastSeen(ago(session.last_seen_at)).toLowerCase()}
              </span>
            ))}
      </Fact>
      {of.links.map((link) => (
        <Fact key={link.created_at} name={words.links[link.kind]}>
          {[
            link.email,
            words.made(dateTime(link.created_at)),
            link.mail_outcome === null ? "" : words.mailed(outcomeText(link.mail_outcome)),
            words.until(dateTime(link.expires_at))
          ]
            .filter((part) => part !== "")
            .join(" · ")}
        </Fact>
      ))}
    </dl>
  )
}

const Fact = (properties: {
  readonly name: string
  readonly badge?: string | undefined
  readonly children: ComponentChildren
}) => (
  <div class="py-2.5">
    <dt class="wrap-anywhere text-soft">
      {properties.name}
      {properties.badge && <span class="badge badge-warn ml-2">{properties.badge}</span>}
    </dt>
    <dd class="mt-0.5 wrap-anywhere">{properties.children}</dd>
  </div>
)
