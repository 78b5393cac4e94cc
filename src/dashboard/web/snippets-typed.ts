/** The pieces for programs in Go, Java, TypeScript and Rust, for BAML, and for tools that evaluate. */
import { hello, inCode, type Snippet } from "./snippet-forms.ts"

export const typedSnippets: ReadonlyArray<Snippet> = [
  inCode(
    "go",
    "Go (openai-go)",
    ({ baseUrl, key, model }) => `package main

import (
	"context"
	"fmt"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

func main() {
	client := openai.NewClient(option.WithBaseURL("${baseUrl}/v1"), option.WithAPIKey("${key}"))
	completion, err := client.Chat.Completions.New(context.Background(), openai.ChatCompletionNewParams{
		Model:    "${model}",
		Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("${hello}")},
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(completion.Choices[0].Message.Content)
}`
  ),
  inCode(
    "java",
    "Java (openai-java)",
    ({ baseUrl, key, model }) => `import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.models.chat.completions.ChatCompletionCreateParams;

class Hello {
    public static void main(String[] args) {
        OpenAIClient client = OpenAIOkHttpClient.builder().baseUrl("${baseUrl}/v1").apiKey("${key}").build();
        var params = ChatCompletionCreateParams.builder().model("${model}").addUserMessage("${hello}").build();
        var completion = client.chat().completions().create(params);
        System.out.println(completion.choices().get(0).message().content().orElse(""));
    }
}`
  ),
  inCode(
    "langchain4j",
    "LangChain4j",
    ({ baseUrl, key, model }) => `import dev.langchain4j.model.openai.OpenAiChatModel;

class Hello {
    public static void main(String[] args) {
        var chat = OpenAiChatModel.builder().baseUrl("${baseUrl}/v1").apiKey("${key}").modelName("${model}").build();
        System.out.println(chat.chat("${hello}"));
    }
}`
  ),
  inCode(
    "spring-ai",
    "Spring AI",
    ({ baseUrl, key, model }) => `import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.openai.OpenAiChatModel;
import org.springframework.ai.openai.OpenAiChatOptions;

class Hello {
    public static void main(String[] args) {
        var options = OpenAiChatOptions.builder().baseUrl("${baseUrl}/v1").apiKey("${key}").model("${model}").build();
        var chat = OpenAiChatModel.builder().options(options).build();
        System.out.println(ChatClient.create(chat).prompt("${hello}").call().content());
    }
}`
  ),
  inCode(
    "tanstack-ai",
    "TanStack AI",
    ({ baseUrl, key, model }) => `import { chat } from "@tanstack/ai"
import { createOpenaiChat } from "@tanstack/ai-openai"

const adapter = createOpenaiChat("${model}", "${key}", { baseURL: "${baseUrl}/v1" })
const messages = [{ role: "user", content: "${hello}" }]
for await (const chunk of chat({ adapter, messages }))
  if (chunk.type === "TEXT_MESSAGE_CONTENT") process.stdout.write(chunk.delta)`
  ),
  inCode(
    "genkit",
    "Genkit",
    ({ baseUrl, key, model }) => `import { genkit } from "genkit"
import { openAICompatible } from "@genkit-ai/compat-oai"

const plugins = [openAICompatible({ name: "tollgate", apiKey: "${key}", baseURL: "${baseUrl}/v1" })]
const { text } = await genkit({ plugins }).generate({ model: "tollgate/${model}", prompt: "${hello}" })
console.log(text)`
  ),
  inCode(
    "rust",
    "Rust (async-openai)",
    ({
      baseUrl,
      key,
      model
    }) => `use async_openai::{config::OpenAIConfig, types::responses::CreateResponseArgs, Client};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let config = OpenAIConfig::new().with_api_base("${baseUrl}/v1").with_api_key("${key}");
    let request = CreateResponseArgs::default().model("${model}").input("${hello}").build()?;
    let response = Client::with_config(config).responses().create(request).await?;
    println!("{}", response.output_text().unwrap_or_default());
    Ok(())
}`
  ),
  inCode(
    "rig",
    "Rust (rig)",
    ({
      baseUrl,
      key,
      model
    }) => `use rig_core::{completion::CompletionRequest, providers::openai::OpenAIConfig};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = OpenAIConfig::new("${key}").with_base_url("${baseUrl}/v1").client();
    let answer = client.chat("${model}").call(CompletionRequest::new("${hello}")).await?;
    println!("{}", answer.text());
    Ok(())
}`
  ),
  inCode(
    "baml",
    "BAML",
    ({ baseUrl, key, model }) => `client<llm> Tollgate {
  provider openai
  options {
    base_url "${baseUrl}/v1"
    api_key "${key}"
    model "${model}"
  }
}`
  ),
  inCode(
    "promptfoo",
    "promptfoo",
    ({ baseUrl, key, model }) => `# promptfooconfig.yaml
prompts: ["${hello}"]
providers:
  - id: openai:chat:${model}
    config: { apiBaseUrl: ${baseUrl}/v1, apiKey: ${key} }`
  ),
  inCode(
    "deepeval",
    "DeepEval",
    ({ baseUrl, key, model }) => `from deepeval.models import OpenAIModel

model = OpenAIModel(model="${model}", base_url="${baseUrl}/v1", api_key="${key}")
print(model.generate("${hello}"))`
  )
]
