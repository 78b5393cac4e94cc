import { number } from "./language.ts"

/** A time as people read it: to the hundredth of a second. */
export const seconds = (ms: number): string => `${number(Math.round(ms / 10) / 100)} s`
