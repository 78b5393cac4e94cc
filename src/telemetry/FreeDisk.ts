/** How much room is left on the disk of a folder, as of some seconds ago: whoever asks never waits for a disk that hangs. */
import { Effect, Schedule, type Scope } from "effect"
import { statfs } from "node:fs/promises"

const lookEvery = "10 seconds"

export class FreeDisk {
  /** Watches until the scope closes. */
  static readonly watch = (folder: string): Effect.Effect<FreeDisk, never, Scope.Scope> =>
    Effect.gen(function* () {
      const disk = new FreeDisk()
      yield* Effect.promise(() => disk.#look(folder)).pipe(
        Effect.repeat(Schedule.spaced(lookEvery)),
        Effect.forkScoped
      )
      return disk
    })

  /** What the process may still write, in bytes; `undefined` where the disk does not tell. */
  bytes: number | undefined

  async #look(folder: string): Promise<void> {
    this.bytes = await statfs(folder).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => undefined
    )
  }
}
