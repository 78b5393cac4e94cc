/** Claude's whole answer from Bedrock for a Messages client. */
import { parseExactJson } from "../../json/parse-exact-json.ts"
import { readMember, scanMembers } from "../../json/scan.ts"
import { replaceValue, splice } from "../../json/splice.ts"
import { withOriginalNames } from "../messages-to-invoke/tool-names.ts"
import { noToolNames } from "../tool-names.ts"

/** Bedrock's answer with the catalogue id in `model` and the caller's tool names; what is no JSON object stays as it is. */
export const withModelId = (answer: Buffer, modelId: string, toolNames = noToolNames): Buffer => {
  const members = scanMembers(answer) ?? []
  const content = toolNames.size === 0 ? undefined : readMember(answer, members, "content", parseExactJson)
  const renamed = Array.isArray(content)
    ? replaceValue(members, "content", JSON.stringify(withOriginalNames(content, toolNames)))
    : []
  return splice(answer, [...replaceValue(members, "model", JSON.stringify(modelId)), ...renamed])
}
