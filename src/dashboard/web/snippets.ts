/** Ready-made pieces that connect each tool, every one with the form of the base address that it expects. */

export interface Snippet {
  readonly id: string
  readonly name: string
  readonly code: string
}

export const sampleKey = "sk-tg-…"

/** `baseUrl` is without `/v1`: Messages clients add it themselves, the others must be told. */
export const makeSnippets = (baseUrl: string, key: string): ReadonlyArray<Snippet> => [
  {
    id: "curl",
    name: "curl",
    code: `curl ${baseUrl}/v1/messages \\
  -H "x-api-key: ${key}" \\
  -H "content-type: application/json" \\
  -d '{
    "model": "claude-sonnet-5",
    "max_tokens": 256,
    "messages": [{"role": "user", "content": "Xin chào!"}]
  }'`
  },
  {
    id: "anthropic",
    name: "Anthropic SDK",
    code: `from anthropic import Anthropic

client = Anthropic(base_url="${baseUrl}", api_key="${key}")
message = client.messages.create(
    model="claude-sonnet-5",
    max_tokens=256,
    messages=[{"role": "user", "content": "Xin chào!"}],
)
print(message.content[0].text)`
  },
  {
    id: "openai",
    name: "OpenAI SDK",
    code: `from openai import OpenAI

client = OpenAI(base_url="${baseUrl}/v1", api_key="${key}")
completion = client.chat.completions.create(
    model="gpt-5.5",
    messages=[{"role": "user", "content": "Xin chào!"}],
)
print(completion.choices[0].message.content)`
  },
  {
    id: "claude-code",
    name: "Claude Code",
    code: `export ANTHROPIC_BASE_URL="${baseUrl}"
export ANTHROPIC_AUTH_TOKEN="${key}"
claude`
  },
  {
    id: "codex",
    name: "Codex",
    code: `# ~/.codex/config.toml
model = "gpt-6.1-sol"
model_provider = "tollgate"

[model_providers.tollgate]
name = "Tollgate"
base_url = "${baseUrl}/v1"
env_key = "TOLLGATE_API_KEY"
wire_api = "responses"

# export TOLLGATE_API_KEY="${key}"`
  }
]
