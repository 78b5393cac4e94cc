/**
 * How long each address of a name is tried. Node's 250 ms are less than a trip to another continent and back: an address that
 * answers in 300 ms would be given up, and where the next is of an IPv6 that leads nowhere, no call would ever get through
 * (https://github.com/nodejs/node/issues/54359).
 */
export const eachAddress = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1_000 } as const
