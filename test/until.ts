/** Waiting for what comes to be before long; by the real clock, also in a test that has a clock of its own. */
const clock = Date
const startTimer = setTimeout

type Held<A> = Exclude<A, undefined | null | false | 0 | "">

/** Waits until it holds, for as long as a machine with too much to do may take; gives what it came to. */
export const until = async <A>(holds: () => A | Promise<A>, seconds = 20): Promise<Held<A>> => {
  const deadlineMs = clock.now() + seconds * 1_000
  for (;;) {
    const held = await holds()
    if (held) return held as Held<A>
    if (clock.now() > deadlineMs) throw new Error(`it did not come to be within ${seconds} s: ${holds}`)
    await new Promise((resolve) => startTimer(resolve, 5))
  }
}
