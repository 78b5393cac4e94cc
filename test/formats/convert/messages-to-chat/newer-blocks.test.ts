/** What newer versions of the Messages protocol hold, on its way to models of other providers. */
import { assert, describe, it } from "@effect/vitest"
import type { Json, JsonObject } from "../../../../src/formats/json/json.ts"
import { assistant, convert, messagesOf, refused, result, text, use, user } from "../messages-requests.ts"

describe("newer parts of a Messages request, for chat models", () => {
  it("tells another model what the provider's own tools were asked and found", () => {
    const opaque = { encrypted_content: "c2VjcmV0", encrypted_stdout: "c2VjcmV0", signature: "c2lnbmVk" }
    const fetched = { type: "document", source: { type: "text", media_type: "text/plain", data: "the page" } }
    const scan = {
      type: "document",
      source: { type: "base64", media_type: "application/pdf", data: "JVBERg" }
    }
    const cases: ReadonlyArray<readonly [block: JsonObject, told: string]> = [
      [
        { type: "server_tool_use", id: "s1", name: "web_search", input: { query: "tide at Hội An" } },
        '[server_tool_use] web_search {"query":"tide at Hội An"}'
      ],
      [
        {
          type: "web_search_tool_result",
          tool_use_id: "s1",
          content: [{ type: "web_search_result", title: "Tides", url: "https://tides.example", ...opaque }]
        },
        "[web_search_tool_result] Tides https://tides.example"
      ],
      [
        {
          type: "web_fetch_tool_result",
          content: { type: "web_fetch_result", url: "https://a.example", content: fetched }
        },
        "[web_fetch_tool_result] https://a.example the page"
      ],
      [
        {
          type: "web_fetch_tool_result",
          content: { type: "web_fetch_result", url: "https://a.example", content: scan }
        },
        "[web_fetch_tool_result] https://a.example"
      ],
      [
        {
          type: "bash_code_execution_tool_result",
          content: {
            type: "bash_code_execution_result",
            stdout: "42\n",
            stderr: "",
            return_code: 0,
            content: []
          }
        },
        "[bash_code_execution_tool_result] 42\n"
      ],
      [
        {
          type: "bash_code_execution_tool_result",
          content: { type: "bash_code_execution_result", stdout: "", stderr: "", return_code: 1, content: [] }
        },
        "[bash_code_execution_tool_result] return_code 1"
      ],
      [
        { type: "advisor_tool_result", content: { type: "advisor_result", text: "Write a test first." } },
        "[advisor_tool_result] Write a test first."
      ],
      [
        { type: "advisor_tool_result", content: { type: "advisor_redacted_result", ...opaque } },
        "[advisor_tool_result]"
      ],
      [
        {
          type: "tool_search_tool_result",
          content: { tool_references: [{ type: "tool_reference", tool_name: "Read" }] }
        },
        "[tool_search_tool_result] Read"
      ],
      [
        { type: "mcp_tool_use", id: "m", name: "find", server_name: "crm", input: { id: 7 } },
        '[mcp_tool_use] find crm {"id":7}'
      ],
      [{ type: "mcp_tool_result", tool_use_id: "m", content: "found" }, "[mcp_tool_result] found"]
    ]
    for (const [block, told] of cases)
      assert.deepStrictEqual(messagesOf([assistant(text("a "), block, text("b"))]), [
        { role: "assistant", content: `a \n${told}\nb` }
      ])
    const handOver = {
      type: "fallback",
      from: { model: "a" },
      to: { model: "b" },
      trigger: { type: "refusal" }
    }
    assert.deepStrictEqual(messagesOf([assistant(text("a"), handOver, text("b"))]), [
      { role: "assistant", content: "ab" }
    ])
  })

  it("tells the browser's state beside a result", () => {
    const state = {
      type: "browser_state",
      tabs: [{ tab_id: "1", title: "News", url: "https://news.example" }]
    }
    assert.deepInclude(messagesOf([assistant(use("t1")), user(result("t1", [state]))]) as Array<Json>, {
      role: "tool",
      tool_call_id: "t1",
      content: "[browser_state] 1 News https://news.example"
    })
  })

  it("leaves out a system message that was for one turn alone, once the next has come", () => {
    const hint = { role: "system", content: "Be brief now.", clear_at: "next_user_message" }
    const told = { role: "system", content: "Be brief now." }
    assert.deepInclude(messagesOf([user(text("a")), hint]) as Array<Json>, told)
    assert.deepInclude(
      messagesOf([user(text("a")), { ...hint, clear_at: "never" }, user(text("b"))]) as Array<Json>,
      told
    )
    assert.notDeepInclude(messagesOf([user(text("a")), hint, user(text("b"))]) as Array<Json>, told)
  })

  it("reads over a system message that only sets the effort of what follows", () => {
    const effort = { role: "system", content: [], output_config: { effort: "low" } }
    const { content: _, ...without } = effort
    for (const message of [effort, without])
      assert.deepStrictEqual(messagesOf([user(text("a")), message]), [{ role: "user", content: "a" }])
  })

  it("gives another model the tools that are in effect, wherever they were given", () => {
    const tool = (name: string) => ({ name, input_schema: { type: "object", properties: {} } })
    const change = (type: string, changed: JsonObject) => ({ type, tool: changed })
    const add = (name: string) => change("tool_addition", { type: "tool_definition", definition: tool(name) })
    const remove = (name: string) => change("tool_removal", { type: "tool_reference", name })
    const system = (...content: ReadonlyArray<JsonObject>) => ({ role: "system", content })
    const toolNames = (...messages: ReadonlyArray<JsonObject>) => {
      const body = convert({ tools: [tool("Read"), tool("Write")], messages: [user(text("a")), ...messages] })
      assert.notInclude(JSON.stringify(body.messages), "tool_addition")
      return (body.tools as ReadonlyArray<{ function: { name: string } }>).map((given) => given.function.name)
    }
    assert.deepStrictEqual(toolNames(system(add("Grep"))), ["Read", "Write", "Grep"])
    assert.deepStrictEqual(toolNames(system(remove("Write"), text("No writing."))), ["Read"])
    assert.deepStrictEqual(toolNames(system(remove("Write")), system(add("Write"))), ["Read", "Write"])
    const readAgain = change("tool_addition", { type: "tool_reference", name: "Read" })
    assert.deepStrictEqual(toolNames(system(remove("Read")), user(text("b")), system(readAgain)), [
      "Read",
      "Write"
    ])
    const search = { type: "web_search_20260318", name: "web_search" }
    const server = change("tool_addition", { type: "tool_definition", definition: search })
    assert.deepStrictEqual(toolNames(system(server)), ["Read", "Write"])
    const body = convert({
      tools: [tool("Read")],
      messages: [
        assistant({ type: "compaction", content: "So far.", tool_changes: [add("Grep")] }),
        user(text("b"))
      ]
    })
    assert.include(JSON.stringify(body.tools), '"Grep"')
  })

  it("refuses to sum a conversation up for a provider that has no such thing", () => {
    assert.strictEqual(refused({ compaction: { type: "summarize" } }).field, "compaction")
    assert.notProperty(convert({ compaction: null }), "compaction")
  })
})
