/** What Converse refuses of a conversation: roles, empty blocks, formats, names of documents, tools without results. */
import {
  isJsonObject,
  type Json,
  type JsonObject,
  listOf,
  objectOf,
  stringOf
} from "../../formats/json/json.ts"
import { givenString } from "../read-json.ts"
import type { Complaint, Request, Rule } from "../Protocol.ts"

const blockKinds = new Set([
  "text",
  "image",
  "document",
  "video",
  "audio",
  "toolUse",
  "toolResult",
  "guardContent",
  "cachePoint",
  "reasoningContent",
  "citationsContent",
  "searchResult"
])
const imageFormats = new Set(["png", "jpeg", "gif", "webp"])
const documentFormats = new Set(["pdf", "csv", "doc", "docx", "xls", "xlsx", "html", "txt", "md"])

const userFirst: Complaint = {
  message:
    "A conversation must start with a user message. Try again with a conversation that starts with a user message."
}

const roles: Rule<Request> = ({ body }) => {
  const list = listOf(body["messages"])
  if (list.length === 0) return userFirst
  for (const [index, message] of list.entries()) {
    const role = objectOf(message)["role"]
    if (role !== "user" && role !== "assistant")
      return {
        message: `1 validation error detected: Value '${String(role)}' at 'messages.${index + 1}.member.role' failed to satisfy constraint: Member must satisfy enum value set: [user, assistant]`
      }
    if (!Array.isArray(objectOf(message)["content"]))
      return { message: `Expected a list at messages.${index}.content.` }
    if (listOf(objectOf(message)["content"]).length === 0)
      return {
        message: `The content field in the Message object at messages.${index} is empty. Add a ContentBlock object to the content field and try again.`
      }
  }
  return objectOf(list[0])["role"] === "user" ? undefined : userFirst
}

const blocks: Rule<Request> = ({ body }) => {
  for (const [position, message] of listOf(body["messages"]).entries())
    for (const [index, block] of listOf(objectOf(message)["content"]).entries()) {
      const complaint = checkBlock(block, `messages.${position}.content.${index}`)
      if (complaint !== undefined) return complaint
    }
  for (const [index, block] of listOf(body["system"]).entries()) {
    const { text, cachePoint, guardContent } = objectOf(block)
    if (cachePoint === undefined && guardContent === undefined && (typeof text !== "string" || text === ""))
      return blank(`system.${index}`, "SystemContentBlock")
  }
  return undefined
}

const blank = (at: string, type = "ContentBlock"): Complaint => ({
  message: `The text field in the ${type} object at ${at} is blank. Add text to the text field, and try again.`
})

const checkBlock = (block: Json, at: string): Complaint | undefined => {
  const kinds = isJsonObject(block) ? Object.keys(block) : []
  if (kinds.length !== 1 || !blockKinds.has(kinds[0]!))
    return {
      message: `The ContentBlock object at ${at} must set one of the following keys: ${[...blockKinds].join(", ")}.`
    }
  const [kind, content] = Object.entries(block as JsonObject)[0]!
  switch (kind) {
    case "text":
      return typeof content === "string" && content !== "" ? undefined : blank(at)
    case "image":
      return checkFile(objectOf(content), `${at}.image`, imageFormats)
    case "document":
      return checkDocument(objectOf(content), `${at}.document`)
    case "toolUse":
      return checkToolUse(objectOf(content), `${at}.toolUse`)
    case "toolResult":
      return checkToolResult(objectOf(content), `${at}.toolResult`)
    default:
      return undefined
  }
}

const checkFile = (file: JsonObject, at: string, formats: ReadonlySet<string>): Complaint | undefined => {
  if (!formats.has(String(file["format"])))
    return {
      message: `1 validation error detected: Value '${String(file["format"])}' at '${at}.format' failed to satisfy constraint: Member must satisfy enum value set: [${[...formats].join(", ")}]`
    }
  const source = objectOf(file["source"])
  if (source["text"] !== undefined || source["s3Location"] !== undefined || source["content"] !== undefined)
    return undefined
  const bytes = givenString(source["bytes"])
  return bytes !== undefined && bytes !== "" && bytes.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(bytes)
    ? undefined
    : { message: `The bytes field at ${at}.source is not valid base64.` }
}

const checkDocument = (file: JsonObject, at: string): Complaint | undefined => {
  const name = stringOf(file["name"])
  if (!/^[A-Za-z0-9\s\-()[\]]{1,200}$/.test(name.replaceAll("_", "-")) || /\s{2,}/.test(name))
    return {
      message:
        "The document file name can only contain alphanumeric characters, whitespace characters, hyphens, parentheses, and square brackets. The name can't contain more than one consecutive whitespace character."
    }
  return checkFile(file, at, documentFormats)
}

const checkId = (id: Json | undefined, at: string): Complaint | undefined =>
  typeof id === "string" && /^[a-zA-Z0-9_-]{1,64}$/.test(id)
    ? undefined
    : {
        message: `1 validation error detected: Value '${String(id)}' at '${at}.toolUseId' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+ and have length less than or equal to 64`
      }

const checkToolUse = (use: JsonObject, at: string): Complaint | undefined => {
  const complaint = checkId(use["toolUseId"], at)
  if (complaint !== undefined) return complaint
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(stringOf(use["name"])))
    return {
      message: `1 validation error detected: Value '${String(use["name"])}' at '${at}.name' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+`
    }
  return isJsonObject(use["input"])
    ? undefined
    : {
        message: `The format of the value at ${at}.input is invalid. Provide a json object for the field and try again.`
      }
}

const checkToolResult = (result: JsonObject, at: string): Complaint | undefined => {
  const complaint = checkId(result["toolUseId"], at)
  if (complaint !== undefined) return complaint
  if (result["status"] !== undefined && result["status"] !== "success" && result["status"] !== "error")
    return {
      message: `Value '${String(result["status"])}' at '${at}.status' must be one of [success, error].`
    }
  if (!Array.isArray(result["content"])) return { message: `Expected a list at ${at}.content.` }
  for (const [index, part] of listOf(result["content"]).entries()) {
    const kinds = Object.keys(objectOf(part))
    if (
      kinds.length !== 1 ||
      !["text", "json", "image", "document", "video", "searchResult"].includes(kinds[0]!)
    )
      return {
        message: `The ToolResultContentBlock object at ${at}.content.${index} must set one of: json, text, image, document, video, searchResult.`
      }
    if (kinds[0] === "image") {
      const wrong = checkFile(objectOf(objectOf(part)["image"]), `${at}.content.${index}.image`, imageFormats)
      if (wrong !== undefined) return wrong
    }
  }
  return undefined
}

const idsOf = (message: Json | undefined, kind: "toolUse" | "toolResult"): ReadonlyArray<string> =>
  listOf(objectOf(message)["content"]).flatMap((block) => {
    const content = objectOf(block)[kind]
    return isJsonObject(content) ? [String(content["toolUseId"])] : []
  })

const toolResults: Rule<Request> = ({ body }) => {
  const list = listOf(body["messages"])
  const used = list.some(
    (message) => idsOf(message, "toolUse").length + idsOf(message, "toolResult").length > 0
  )
  if (used && body["toolConfig"] === undefined)
    return {
      message: "The toolConfig field must be defined when using toolUse and toolResult content blocks."
    }
  for (const [index, message] of list.entries()) {
    const results = idsOf(message, "toolResult")
    const before = idsOf(list[index - 1], "toolUse")
    if (results.some((id) => !before.includes(id)) || results.length > before.length)
      return {
        message: `The number of toolResult blocks at messages.${index}.content exceeds the number of toolUse blocks of previous turn.`
      }
    const after = idsOf(list[index + 1], "toolResult")
    const missing = idsOf(message, "toolUse").filter((id) => !after.includes(id))
    if (missing.length > 0)
      return {
        message: `Expected toolResult blocks at messages.${index + 1}.content for the following Ids: ${missing.join(", ")}`
      }
  }
  return undefined
}

const documents: Rule<Request> = ({ body }) => {
  const names: Array<string> = []
  for (const message of listOf(body["messages"])) {
    const content = listOf(objectOf(message)["content"]).map(objectOf)
    const here = content.filter((block) => block["document"] !== undefined)
    if (here.length > 0 && !content.some((block) => block["text"] !== undefined))
      return {
        message:
          "The model returned the following errors: a text block is required when a document is included."
      }
    names.push(...here.map((block) => String(objectOf(block["document"])["name"])))
  }
  return new Set(names).size === names.length
    ? undefined
    : { message: "The request contains duplicate document names. Use unique names and try again." }
}

export const contentRules: ReadonlyArray<Rule<Request>> = [roles, blocks, toolResults, documents]
