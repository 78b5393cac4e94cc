/** How much may be asked for in a minute by those who are known: what is beyond is refused, and the API's document says so. */

/** Of one management token. */
export const tokenRequestsPerMinute = 600
/** Of one person, over all their sessions: nobody clicks as fast. */
export const changesPerMinute = 300
/** Of one person, over all tokens that they have made. */
export const tokenChangesPerMinute = 600
