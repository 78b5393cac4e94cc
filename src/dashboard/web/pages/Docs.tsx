/** How to call the service: addresses, clients, endpoints, errors. */
import { Button, CopyButton } from "../components/Button.tsx"
import { Connect } from "../components/Connect.tsx"
import { Card, Page } from "../components/Layout.tsx"
import { Table } from "../components/Table.tsx"
import { TryDialog } from "../components/TryCall.tsx"
import { text } from "../language.ts"
import { session } from "../session.ts"
import { docsText } from "../text/docs.ts"
import { failuresText } from "../text/failures.ts"
import { useQuery } from "../use-query.ts"

export const Docs = () => {
  const [query, change] = useQuery({ try: "" })
  const isTrying = query.try !== ""
  const setTrying = (isOpen: boolean) => change({ try: isOpen ? "1" : "" })
  const words = docsText()
  const base = session.value?.base_url ?? location.origin
  return (
    <Page
      title={words.title}
      intro={words.intro}
      actions={
        <Button look="primary" onClick={() => setTrying(true)}>
          {words.tryAction}
        </Button>
      }
    >
      <div class="space-y-6">
        <Card title={words.addresses}>
          <dl class="divide-y divide-line">
            <Address name={words.messagesBase} value={base} />
            <Address name={words.openAiBase} value={`${base}/v1`} />
          </dl>
          <p class="mt-3 text-sm text-soft">{words.keyGoes}</p>
        </Card>
        <Card title={words.clients}>
          <Connect />
        </Card>
        <Card title={words.endpoints} flush>
          <Table head={[words.endpointColumn, words.what]}>
            {Object.entries(words.paths).map(([path, what]) => (
              <tr key={path}>
                <td data-label={words.endpointColumn}>
                  <code class="break-all">{path}</code>
                </td>
                <td data-label={words.what}>{what}</td>
              </tr>
            ))}
          </Table>
        </Card>
        <Card title={words.errors} flush>
          <p class="px-5 pb-3 text-sm text-soft">{words.errorsIntro}</p>
          <Table head={[words.status, words.when]}>
            {failuresText().failures.map(([status, type, when]) => (
              <tr key={status}>
                <td data-label={words.status}>
                  <span class="@min-[52rem]:truncate">
                    <span class="number font-medium">{status}</span> <code class="text-faint">{type}</code>
                  </span>
                </td>
                <td data-label={words.when}>{when}</td>
              </tr>
            ))}
          </Table>
        </Card>
        <Card title={words.reference}>
          <ul class="space-y-2 text-sm">
            <Reference href="/openapi.json" name={words.modelsApi} />
            <Reference href="/api/openapi.json" name={words.managementApi} />
            <Reference href="/llms.txt" name={words.forModels} />
          </ul>
        </Card>
      </div>
      {isTrying && <TryDialog onClose={() => setTrying(false)} />}
    </Page>
  )
}

const Address = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div class="flex flex-wrap items-center justify-between gap-x-4 py-2">
    <dt class="text-sm text-soft">{name}</dt>
    <dd class="flex items-center gap-1">
      <code class="break-all">{value}</code>
      <CopyButton value={value} label={text().common.copyThis(value)} />
    </dd>
  </div>
)

const Reference = ({ href, name }: { readonly href: string; readonly name: string }) => (
  <li>
    <a class="underline underline-offset-4 hover:text-accent-ink" href={href}>
      {name}
    </a>{" "}
    <code class="text-faint">{href}</code>
  </li>
)
