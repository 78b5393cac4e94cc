/** A disk of few megabytes, where this machine lets us make one. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export interface MountedDisk {
  readonly path: string
  readonly unmount: () => void
}

export const mountDisk = (megabytes: number): MountedDisk | undefined => {
  const path = mkdtempSync(join(tmpdir(), "tollgate-disk-"))
  const options = `size=${megabytes}m,mode=755`
  if (spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", path]).status !== 0) {
    rmSync(path, { recursive: true })
    return undefined
  }
  return {
    path,
    unmount: () => {
      spawnSync("umount", ["-l", path])
      rmSync(path, { recursive: true, force: true })
    }
  }
}
