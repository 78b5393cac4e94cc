/** Once before the system tests, so that no two of them do it at the same time: the front end and the program built, the browser unpacked. */
import { ensureBuilt } from "../src/dashboard/ensure-built.ts"
import { ensureProgramBuilt } from "../src/program/build-program.ts"
import { prepareBrowser } from "./browser/launch.ts"

export default async (): Promise<void> => {
  await ensureBuilt()
  await prepareBrowser()
  await ensureProgramBuilt()
}
