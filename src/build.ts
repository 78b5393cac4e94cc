/** Builds the pages and the program when it is installed, so that the first start has nothing to build. */
import { ensureBuilt } from "./dashboard/ensure-built.ts"
import { ensureProgramBuilt } from "./program/build-program.ts"

await ensureBuilt()
await ensureProgramBuilt()
