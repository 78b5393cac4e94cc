/**
 * A clock for what lasts: ms since 1970 when this thread began, and what has really passed since. It neither leaps nor goes back when the
 * machine's clock is set, so that no limit is over too soon or never. For dates, and for what another thread reads, it is wrong.
 */
export const steadyMs = (): number => Math.floor(beganMs + performance.now())

// Asked for each time it costs half as much again.
const beganMs = performance.timeOrigin
