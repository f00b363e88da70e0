import * as fc from 'fast-check'
import { runs, testSeed } from './chance'

export const caseCount = runs(30)

const maxConcurrent = 8
const chunk = 250

interface Differential<Case, Fixture> {
  cases: fc.Arbitrary<Case>
  /** Puts many cases where they can be asked, in one go. */
  prepare: (cases: readonly Case[]) => Promise<Fixture[]>
  /** Throws where the engine and the plain evaluator disagree. */
  agree: (one: Case, fixture: Fixture) => Promise<void>
  /** The number of cases, if it is not the usual one. */
  times?: number
}

/**
 * Tries many cases at once, because one by one the engine would mostly wait. Only where one disagrees is it tried again
 * on its own, and made as small as it gets.
 */
export async function expectAgreement<Case, Fixture>(
  differential: Differential<Case, Fixture>,
): Promise<void> {
  const samples = fc.sample(differential.cases, { numRuns: differential.times ?? caseCount, seed: testSeed })
  for (let from = 0; from < samples.length; from += chunk) {
    const failed = await firstDisagreement(differential, samples.slice(from, from + chunk))
    if (failed !== undefined) await shrink(differential, testSeed, from + failed)
  }
}

async function firstDisagreement<Case, Fixture>(
  { prepare, agree }: Differential<Case, Fixture>,
  cases: readonly Case[],
): Promise<number | undefined> {
  const fixtures = await prepare(cases)
  const failed: number[] = []
  let at = 0
  const askOn = async () => {
    while (at < cases.length) {
      const i = at++
      const [one, fixture] = [cases[i], fixtures[i]]
      if (one === undefined || fixture === undefined) continue
      await agree(one, fixture).catch(() => failed.push(i))
    }
  }
  await Promise.all(Array.from({ length: maxConcurrent }, askOn))
  return failed.toSorted((one, other) => one - other)[0]
}

async function shrink<Case, Fixture>(
  { cases, prepare, agree }: Differential<Case, Fixture>,
  seed: number,
  place: number,
): Promise<never> {
  const alone = fc.asyncProperty(cases, async (one) => {
    const [fixture] = await prepare([one])
    if (fixture !== undefined) await agree(one, fixture)
  })
  await fc.assert(alone, { seed, path: String(place), numRuns: 1 })
  throw new Error(`Case ${place} of seed ${seed} disagreed once, and not when it was tried again on its own.`)
}
