/** What is done by itself once there is a network again. */
import { useEffect } from "preact/hooks"

/** Browsers tell of a network before all of it works: what is asked at once can fail as before. */
const againMs = [3_000, 10_000, 30_000]

let onlineAt = -Infinity
addEventListener("online", () => (onlineAt = performance.now()))

/** Does it when there is a network again, and a few times more while the component stands. */
export const useOnline = (load: () => void): void =>
  useEffect(() => {
    let timers: ReadonlyArray<number> = []
    const stop = () => timers.forEach((timer) => clearTimeout(timer))
    const plan = () => {
      stop()
      const now = performance.now()
      const due = againMs.map((ms) => onlineAt + ms - now).filter((ms) => ms > 0)
      timers = due.map((ms) => setTimeout(load, ms))
    }
    const begin = () => {
      plan()
      load()
    }
    // It may have come before what failed for the want of it was told.
    plan()
    addEventListener("online", begin)
    return () => {
      stop()
      removeEventListener("online", begin)
    }
  }, [load])
