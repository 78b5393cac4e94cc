/** Maintenance, and what operators say of it to customers: while it is on, or before it begins. */

export interface Notice {
  readonly vi: string
  /** `undefined`: Vietnamese is for everybody. */
  readonly en: string | undefined
  /** The planned end, ms since 1970. */
  readonly untilMs: number | undefined
}

export interface Maintenance {
  readonly isOn: boolean
  readonly notice: Notice | undefined
}

export const noMaintenance: Maintenance = { isOn: false, notice: undefined }

/** Of each language. */
export const noticeLengthMax = 300

/** What stands in the error of calls, whose callers' language nobody knows. */
export const messageToCallers = (notice: Notice | undefined): string | undefined => notice?.en ?? notice?.vi

/** What is said at this moment: an announcement is over at its end; maintenance, when it is turned off. */
export const maintenanceAt = ({ isOn, notice }: Maintenance, nowMs: number): Maintenance => {
  const isOver = notice?.untilMs !== undefined && notice.untilMs <= nowMs
  if (!isOver) return { isOn, notice }
  return { isOn, notice: isOn ? { ...notice, untilMs: undefined } : undefined }
}
