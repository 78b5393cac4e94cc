/** Builds the front end when the program is installed, so that the first start has nothing to build. */
import { ensureBuilt } from "./ensure-built.ts"

await ensureBuilt()
