/** The limits of what a route answers with, and of the state that an action returns. */
export const callLimits = { bodyBytes: 4 * 1024 ** 2, stateBytes: 32 * 1024, headerBytes: 16 * 1024 }
