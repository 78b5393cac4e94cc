/** Once before the system tests, so that no two of them do it at the same time: the front end built, the browser unpacked, types stripped. */
import { ensureBuilt } from "../src/dashboard/ensure-built.ts"
import { prepareBrowser } from "./browser/launch.ts"
import { prepareQuickStart } from "./quick-start/quick-start.ts"

export default async (): Promise<void> => {
  await ensureBuilt()
  await prepareBrowser()
  prepareQuickStart()
}
