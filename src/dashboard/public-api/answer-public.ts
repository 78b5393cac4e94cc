/** What programs read of the service before they call it. */
import type { Model } from "../../domain/catalogue.ts"
import type { Reply } from "../exchange.ts"
import { describePublicApi } from "./describe-public-api.ts"
import { llmsText } from "./llms-text.ts"

/** `undefined` where the path is none of these; `publicUrl` is where callers reach the service. */
export const answerPublic = (
  path: string,
  publicUrl: string,
  models: ReadonlyArray<Model>
): Reply | undefined => {
  if (path === "/llms.txt") return reply("text/plain; charset=utf-8", llmsText(publicUrl))
  if (path !== "/openapi.json") return undefined
  return reply("application/json", JSON.stringify(describePublicApi(publicUrl, models)))
}

const reply = (type: string, body: string): Reply => ({
  status: 200,
  headers: [
    ["content-type", type],
    ["cache-control", "public, max-age=300"],
    ["access-control-allow-origin", "*"]
  ],
  body
})
