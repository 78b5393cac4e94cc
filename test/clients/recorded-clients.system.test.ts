/** The recorded requests of Claude Code, Codex and opencode, sent as they were recorded. */
import { assert, it } from "@effect/vitest"
import { readFixture } from "../gateway/recorded-traffic.ts"
import { assertCharged, useGateway } from "./use-gateway.ts"
import { describeWith } from "../shared-folder.ts"
import { catalogue } from "../catalogue.ts"

interface RecordedRequest {
  readonly method: string
  readonly url: string
  readonly headers: ReadonlyArray<readonly [string, string]>
  readonly body: Record<string, unknown>
}

const requestOf = (name: string): RecordedRequest =>
  (JSON.parse(readFixture(`clients/${name}.json`)) as { readonly request: RecordedRequest }).request

describeWith("fixtures", "recorded requests of real clients", () => {
  const gateway = useGateway()

  /** Sent as recorded but for the key, the model, and what the connection decides about itself. */
  const send = (name: string, model: string) => {
    const { body, headers, method, url } = requestOf(name)
    const sent = headers.filter(
      ([header]) =>
        !/^(host|connection|content-length|accept-encoding|transfer-encoding|authorization|x-api-key)$/i.test(
          header
        )
    )
    return fetch(gateway.url + url, {
      method,
      headers: [
        ...sent.map(([header, value]) => [header, value.replace(/ …\[.*$/, "")] as [string, string]),
        ["authorization", `Bearer ${gateway.key}`]
      ],
      body: JSON.stringify({ ...body, model })
    })
  }

  it.each(
    [
      "claude-code-messages-1",
      "claude-code-messages-2-tool-result",
      "claude-code-nonstream-fallback"
    ].flatMap((name) =>
      ["claude-sonnet-5", "gpt-5.5", "svc/claude-sonnet-5", "svc/nova-pro", "deepseek-v4-pro"].map(
        (model) => [name, model] as const
      )
    )
  )("%s is served and billed on %s", async (name, model) => {
    const answer = await send(name, model)
    const text = await answer.text()
    assert.strictEqual(answer.status, 200, text)
    if (requestOf(name).body["stream"] === true) assert.include(text, '"type":"message_stop"')
    else assert.strictEqual((JSON.parse(text) as { readonly type: string }).type, "message")
    assertCharged((await gateway.newCalls(1))[0]!, model)
  })

  it.each(["gpt-5.5", "claude-sonnet-5", "svc/claude-sonnet-5", "svc/nova-pro", "deepseek-v4-pro"])(
    "opencode's chat loop is served and billed on %s",
    async (model) => {
      const answer = await send("opencode-chat-2-tool-result", model)
      const text = await answer.text()
      assert.strictEqual(answer.status, 200, text)
      assert.isTrue(text.endsWith("data: [DONE]\n\n"))
      assertCharged((await gateway.newCalls(1))[0]!, model)
    }
  )

  it.each(["codex-responses-1", "codex-responses-2-tool-result", "opencode-responses-2-tool-result"])(
    "%s is served and billed",
    async (name) => {
      const answer = await send(name, "gpt-5.5")
      const text = await answer.text()
      assert.strictEqual(answer.status, 200, text)
      assert.include(text, '"type":"response.completed"')
      assertCharged((await gateway.newCalls(1))[0]!, "gpt-5.5")
      const seen = await gateway.gateway().seen()
      const { body } = requestOf(name)
      assert.deepStrictEqual(JSON.parse(seen.last.at(-1)!.body), body)
    }
  )

  it("the probes of Claude Code are answered at once and without confusion", async () => {
    const probe = await fetch(`${gateway.url}/api/hello`, { method: "HEAD" })
    assert.strictEqual(probe.status, 404)
    const list = await fetch(`${gateway.url}/v1/models?limit=1000`, {
      headers: { authorization: `Bearer ${gateway.key}` }
    })
    const { data } = (await list.json()) as { readonly data: ReadonlyArray<unknown> }
    assert.lengthOf(data, catalogue.models.length)
  })
})
