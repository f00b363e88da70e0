import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectAgreement, caseCount } from '#test/random/differential'
import {
  mergedInto,
  fullAnswer,
  queriesOf,
  stories,
  insertMerges,
  insertProperties,
  tiers,
  wholeScope,
} from '#test/product/every-kind'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import { kindNames } from './kinds'

const testEngine = anEngine()

const asOne = (story: readonly TestEvent[]): TestEvent[] =>
  story.map((event) => ({ ...event, person: mergedInto[event.person] ?? event.person }))

const times = Math.ceil(caseCount / 200)

/** Two projects with the same story: told of persons who were merged since, and of who they are. */
async function told(all: readonly TestEvent[][]): Promise<{ merged: number; plain: number }[]> {
  const merged = await testEngine.addProjects(all)
  const plain = await testEngine.addProjects(all.map(asOne))
  await insertMerges(testEngine, merged)
  await insertProperties(testEngine, [...merged, ...plain], tiers)
  return merged.map((number, i) => ({ merged: number, plain: plain[i] ?? 0 }))
}

test.each(kindNames)(
  `%s: persons who were merged are one, in ${times} small stories`,
  async (kind) => {
    await expectAgreement({
      times,
      cases: fc.record({ events: stories(12), question: queriesOf(kind) }),
      prepare: (all) => told(all.map(({ events }) => events)),
      agree: async ({ question }, { merged, plain }) => {
        const answer = await fullAnswer(kind, question, wholeScope(testEngine, merged, true))
        expect(answer).toEqual(await fullAnswer(kind, question, wholeScope(testEngine, plain, false)))
      },
    })
  },
  60_000,
)
