/** How much slower this machine is than the one that limits were chosen on; `npm test` measures it. */
const slowness = Number(process.env['TEST_SLOWNESS'] ?? 1)

/** How long a test waits for what should come at once, before it says that it does not. */
export const patienceMs = 60_000 * slowness
