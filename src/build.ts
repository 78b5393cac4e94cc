/** Builds the pages and the program when it is installed, so that the first start has nothing to build. */
import { fileURLToPath } from "node:url"
import { ensureBuilt } from "./dashboard/ensure-built.ts"
import { addNativeParts } from "./program/add-native-parts.ts"
import { ensureProgramBuilt } from "./program/build-program.ts"
import { root } from "./program/entries.ts"

addNativeParts(fileURLToPath(root))
await ensureBuilt()
await ensureProgramBuilt()
