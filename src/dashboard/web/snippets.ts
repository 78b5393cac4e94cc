/** Ready-made pieces that connect each client, every one with the form of the base address that it expects. */
import { hello, inCode, inShell, openAiSettings, setting, type Snippet } from "./snippet-forms.ts"
import { typedSnippets } from "./snippets-typed.ts"

/** What a client is tried with where nobody has chosen. */
export const usualModel = (id: string): string =>
  id === "codex" ? "gpt-6.1-sol" : id.startsWith("openai") ? "gpt-5.5" : "claude-sonnet-5"

/** How many of them are what most people come with. */
export const popular = 5

/** The popular ones first. */
export const snippets: ReadonlyArray<Snippet> = [
  {
    id: "curl",
    name: "curl",
    isShell: true,
    code: ({ baseUrl, key, model, shell }) =>
      shell === "sh"
        ? `curl ${baseUrl}/v1/messages \\
  -H "x-api-key: ${key}" \\
  -H "content-type: application/json" \\
  -d '{
    "model": "${model}",
    "max_tokens": 256,
    "messages": [{"role": "user", "content": "${hello}"}]
  }'`
        : `$body = @{
  model = "${model}"
  max_tokens = 256
  messages = @(@{ role = "user"; content = "${hello}" })
} | ConvertTo-Json -Depth 5
Invoke-RestMethod ${baseUrl}/v1/messages -Method Post \`
  -Headers @{ "x-api-key" = "${key}" } \`
  -ContentType "application/json; charset=utf-8" -Body $body`
  },
  inCode(
    "anthropic",
    "Anthropic SDK",
    ({ baseUrl, key, model }) => `from anthropic import Anthropic

client = Anthropic(base_url="${baseUrl}", api_key="${key}")
message = client.messages.create(
    model="${model}",
    max_tokens=256,
    messages=[{"role": "user", "content": "${hello}"}],
)
print(message.content[0].text)`
  ),
  inCode(
    "openai",
    "OpenAI SDK",
    ({ baseUrl, key, model }) => `from openai import OpenAI

client = OpenAI(base_url="${baseUrl}/v1", api_key="${key}")
completion = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "${hello}"}],
)
print(completion.choices[0].message.content)`
  ),
  inShell(
    "claude-code",
    "Claude Code",
    ({ baseUrl, key }) => ({ ANTHROPIC_BASE_URL: baseUrl, ANTHROPIC_AUTH_TOKEN: key }),
    ({ model }) => `claude --model ${model}`
  ),
  {
    id: "codex",
    name: "Codex",
    isShell: true,
    code: ({ baseUrl, key, model, shell }) => `# ~/.codex/config.toml
model = "${model}"
model_provider = "tollgate"

[model_providers.tollgate]
name = "Tollgate"
base_url = "${baseUrl}/v1"
env_key = "TOLLGATE_API_KEY"
wire_api = "responses"

# ${shell === "sh" ? "Terminal" : "PowerShell"}
${setting(shell, "TOLLGATE_API_KEY", key)}
codex`
  },
  inCode(
    "openai-node",
    "OpenAI SDK (Node)",
    ({ baseUrl, key, model }) => `import OpenAI from "openai"

const client = new OpenAI({ baseURL: "${baseUrl}/v1", apiKey: "${key}" })
const response = await client.responses.create({ model: "${model}", input: "${hello}" })
console.log(response.output_text)`
  ),
  inCode(
    "ai-sdk",
    "AI SDK, Mastra, VoltAgent",
    ({ baseUrl, key, model }) => `import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { generateText } from "ai"

const tollgate = createOpenAICompatible({ name: "tollgate", baseURL: "${baseUrl}/v1", apiKey: "${key}" })
const { text } = await generateText({ model: tollgate("${model}"), prompt: "${hello}" })
console.log(text)`
  ),
  inCode(
    "langchain",
    "LangChain, LangGraph",
    ({ baseUrl, key, model }) => `from langchain_openai import ChatOpenAI

chat = ChatOpenAI(base_url="${baseUrl}/v1", api_key="${key}", model="${model}")
print(chat.invoke("${hello}").content)`
  ),
  inCode(
    "opencode",
    "opencode, Kilo CLI",
    ({ baseUrl, key, model }) => `{
  "$schema": "https://opencode.ai/config.json",
  "provider": {
    "tollgate": {
      "npm": "@ai-sdk/openai-compatible",
      "options": { "baseURL": "${baseUrl}/v1", "apiKey": "${key}" },
      "models": { "${model}": {} }
    }
  }
}`
  ),
  inShell(
    "qwen-code",
    "qwen-code",
    (connection) => ({ ...openAiSettings(connection), OPENAI_MODEL: connection.model }),
    () => "qwen --auth-type openai"
  ),
  inCode(
    "kimi-code",
    "Kimi Code",
    ({ baseUrl, key, model }) => `# ~/.kimi-code/config.toml
default_model = "tollgate"

[providers.tollgate]
type = "openai"
base_url = "${baseUrl}/v1"
api_key = "${key}"

[models.tollgate]
provider = "tollgate"
model = "${model}"
max_context_size = 200000`
  ),
  inShell(
    "cline",
    "Cline",
    () => ({}),
    ({ baseUrl, key, model }) => `cline auth -p openai-compatible -b ${baseUrl}/v1 -k ${key} -m ${model}`
  ),
  inShell(
    "copilot",
    "GitHub Copilot CLI",
    ({ baseUrl, key, model }) => ({
      COPILOT_PROVIDER_BASE_URL: `${baseUrl}/v1`,
      COPILOT_PROVIDER_API_KEY: key,
      COPILOT_MODEL: model
    }),
    () => "copilot"
  ),
  inCode(
    "continue",
    "Continue",
    ({ baseUrl, key, model }) => `# ~/.continue/config.yaml
models:
  - name: Tollgate
    provider: openai
    model: ${model}
    apiBase: ${baseUrl}/v1
    apiKey: ${key}`
  ),
  inCode(
    "pi",
    "pi",
    ({ baseUrl, key, model }) => `{
  "providers": {
    "tollgate": {
      "baseUrl": "${baseUrl}/v1",
      "apiKey": "${key}",
      "api": "openai-completions",
      "models": [{ "id": "${model}" }]
    }
  }
}`
  ),
  inShell(
    "aider",
    "aider",
    ({ baseUrl, key }) => ({ OPENAI_API_BASE: `${baseUrl}/v1`, OPENAI_API_KEY: key }),
    ({ model }) => `aider --model openai/${model}`
  ),
  inShell(
    "letta",
    "Letta Code",
    () => ({}),
    ({ baseUrl, key, model }) =>
      `letta --backend local connect llama-cpp --base-url ${baseUrl}/v1 --api-key ${key}
letta --backend local --new-agent -m llama-cpp/${model}`
  ),
  inShell(
    "shell-gpt",
    "shell-gpt",
    ({ baseUrl, key, model }) => ({
      API_BASE_URL: `${baseUrl}/v1`,
      OPENAI_API_KEY: key,
      DEFAULT_MODEL: model
    }),
    () => `sgpt --temperature 1 "${hello}"`
  ),
  inCode(
    "llm",
    "llm",
    ({ baseUrl, model }) => `# extra-openai-models.yaml, then: llm keys set tollgate
- model_id: ${model}
  model_name: ${model}
  api_base: ${baseUrl}/v1
  api_key_name: tollgate`
  ),
  inCode(
    "pydantic-ai",
    "Pydantic AI",
    ({ baseUrl, key, model }) => `from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

provider = OpenAIProvider(base_url="${baseUrl}/v1", api_key="${key}")
agent = Agent(OpenAIChatModel("${model}", provider=provider))
print(agent.run_sync("${hello}").output)`
  ),
  inCode(
    "litellm",
    "LiteLLM, Google ADK, txtai",
    ({ baseUrl, key, model }) => `from litellm import completion

answer = completion(
    model="openai/${model}",
    api_base="${baseUrl}/v1",
    api_key="${key}",
    messages=[{"role": "user", "content": "${hello}"}],
)
print(answer.choices[0].message.content)`
  ),
  inCode(
    "dspy",
    "DSPy",
    ({ baseUrl, key, model }) => `import dspy

dspy.configure(lm=dspy.LM("openai/${model}", api_base="${baseUrl}/v1", api_key="${key}"))
print(dspy.Predict("question -> answer")(question="${hello}").answer)`
  ),
  inCode(
    "llamaindex",
    "LlamaIndex",
    ({ baseUrl, key, model }) => `from llama_index.llms.openai_like import OpenAILike

llm = OpenAILike(
    model="${model}",
    api_base="${baseUrl}/v1",
    api_key="${key}",
    is_chat_model=True,
    is_function_calling_model=True,
)
print(llm.complete("${hello}"))`
  ),
  inCode(
    "claude-agent",
    "Claude Agent SDK",
    ({ baseUrl, key, model }) => `import asyncio
from claude_agent_sdk import ClaudeAgentOptions, query

options = ClaudeAgentOptions(
    model="${model}",
    env={"ANTHROPIC_BASE_URL": "${baseUrl}", "ANTHROPIC_AUTH_TOKEN": "${key}"},
)

async def main():
    async for message in query(prompt="${hello}", options=options):
        print(message)

asyncio.run(main())`
  ),
  ...typedSnippets,
  inShell(
    "environment",
    "OpenAI Agents SDK, instructor, smolagents, Haystack, AutoGen, Agno, Strands, mini-swe-agent, LangChainGo, CrewAI, browser-use, Semantic Kernel, Microsoft Agent Framework, LlamaIndex.TS, magentic, Outlines, gptme",
    openAiSettings,
    ({ model }) => `# model: ${model}`
  )
]
