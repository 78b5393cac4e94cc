/** Credentials that come from elsewhere: whoever gives them, and does not answer, holds up no call for long. */

/**
 * What `makeSource` makes keeps its credentials, and calls that need new ones wait for one renewal. One that does not come is given
 * up with its source: later calls would wait for it, too, also when another would be answered.
 */
export const renewInTime = <T>(
  makeSource: () => () => Promise<T>,
  patienceMs: number
): (() => Promise<T>) => {
  let source: (() => Promise<T>) | undefined
  return async () => {
    const asked = (source ??= makeSource())
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      if (source === asked) source = undefined
      late.reject(new Error(`no credentials within ${patienceMs} ms`))
    }, patienceMs)
    return Promise.race([asked(), late.promise]).finally(() => clearTimeout(timer))
  }
}
