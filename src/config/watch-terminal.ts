/** SIGHUP says "read your settings again", and it is what a terminal sends as it is closed. */
import { isatty } from "node:tty"

/** Tells whether the terminal has gone at which this was called; never where there was none. */
export const watchTerminal = (isTerminal: (fd: number) => boolean = isatty): (() => boolean) => {
  const streams = [0, 1, 2].filter((fd) => isTerminal(fd))
  return () => streams.length > 0 && !streams.some((fd) => isTerminal(fd))
}
