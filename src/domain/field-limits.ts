/** How long and how large what people and programs give and are given may be: what is beyond is refused, and the API's document says so. */

/** Of what people call a key, a token or themselves in one account. */
export const nameLengthMax = 100
export const personNameLengthMax = 200
export const emailLengthMax = 254
export const passwordLengthMin = 10
export const passwordLengthMax = 128
export const reasonLengthMax = 500
export const noteLengthMax = 2_000
/** What names the transfer by which another one was given back. */
export const referenceLengthMax = 200
export const companyLengthMax = 200
export const addressLengthMax = 300
export const webhookUrlLengthMax = 2_000

/** Of one amount: a budget, a balance to be told of, a credit. */
export const amountVndMax = 1_000_000_000_000

/** The last moment that anything may be dated, ms since 1970: the end of 2099. */
export const latestMs = 4_102_444_799_999

export const rateLimitMax = 1_000_000
/** Lists of a key are for people to oversee. */
export const listedMax = 50
/** How long a secret that is replaced may live on. */
export const overlapDaysMax = 7
export const overlapHoursMax = 24 * overlapDaysMax
/** How many days ahead it may be told that a balance ends. */
export const daysLeftMax = 60

export const routePriorityMax = 1_000
export const routeModelsMax = 200

/** Of customers, the CSV of margins tells of so many at most: those that its order has first. */
export const csvCustomersMax = 10_000

/** Parts that are shorter stand in too much, and in no index of trigrams. */
export const searchLengthMin = 3
