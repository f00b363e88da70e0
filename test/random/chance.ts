import * as fc from 'fast-check'

/** The random seed: `npm test` takes it from the commit, `npm run test:deep` from `--seed`, and both print it. */
export const testSeed = Number(process.env['TEST_SEED'] ?? 1)

/** The number of cases that a test draws, given its usual number: `npm run test:deep` draws more. */
export const runs = (usual: number): number => Math.ceil(usual * Number(process.env['TEST_CASES'] ?? 1))

fc.configureGlobal({ seed: testSeed, numRuns: runs(100) })
