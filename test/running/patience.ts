/** The slowness of this machine against the one that limits were chosen on; `npm test` measures it. */
const slowness = Number(process.env['TEST_SLOWNESS'] ?? 1)

/** The longest time that a test waits for an immediate effect before it fails. */
export const patienceMs = 60_000 * slowness
