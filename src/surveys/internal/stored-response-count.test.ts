import { expect, onTestFinished, test } from 'vitest'
import { openTestProduct, present, requireDone } from '#test/product/fixture'
import { operator } from '#projects/access'
import { openStore } from '#store/open'
import { SubmissionCounts } from './submission-counts'
import { StoredResponseCount } from './stored-response-count'

const viewer = operator()
const content = { questions: [{ id: 'why', kind: 'open', text: 'Why?' }] }

async function aSurveyWith(responseLimit: number | null) {
  const { product, world, folder, aProject } = await openTestProduct()
  const { id: projectId } = await aProject()
  const made = await product.surveys.create(projectId, { name: 'Why?', content, responseLimit }, viewer)
  const { id } = requireDone(made).survey
  requireDone(await product.surveys.launch(projectId, id, {}, viewer))
  const store = await openStore({ folder, url: undefined })
  const counts = await SubmissionCounts.open({ store, world, onTrouble: () => {} })
  onTestFinished(async () => {
    await counts.close()
    await store.close()
  })
  const engine = { submissions: 0, questions: 0, isAway: false }
  const { published: publishedSurveys } = product.surveys
  const storedCount = new StoredResponseCount({
    store,
    world,
    counts,
    engine: {
      query: async <Row>() => {
        engine.questions++
        if (engine.isAway) throw new Error('away')
        return [{ submissions: String(engine.submissions) }] as Row[] // the row of the one query there is
      },
    },
    published: publishedSurveys,
  })
  const run = async (): Promise<void> => {
    await storedCount.run()
    await counts.caughtUp()
  }
  const survey = () => present(publishedSurveys.find(projectId, id))
  return { product, projectId, counts, engine, run, survey }
}

test('what was stored before the survey had a limit is counted once', async () => {
  const { counts, engine, run, survey } = await aSurveyWith(10)
  engine.submissions = 7
  await run()
  await run()
  expect(engine.questions).toBe(1)
  counts.note(survey(), 'a')
  await counts.saved()
  expect(counts.submissionsOf(survey())).toBe(8)
})

test('what began meanwhile is added to what was stored', async () => {
  const { counts, engine, run, survey } = await aSurveyWith(10)
  counts.note(survey(), 'a')
  await counts.saved()
  engine.submissions = 7
  await run()
  expect(counts.submissionsOf(survey())).toBe(8)
})

test('a survey that has no limit for a while is counted again', async () => {
  const { product, projectId, counts, engine, run, survey } = await aSurveyWith(10)
  await run()
  const { id } = survey()
  requireDone(await product.surveys.change(projectId, id, { responseLimit: null }, viewer))
  await run()
  expect(counts.all()).toEqual([])
  engine.submissions = 5
  requireDone(await product.surveys.change(projectId, id, { responseLimit: 10 }, viewer))
  await run()
  expect(counts.submissionsOf(survey())).toBe(5)
})

test('surveys without a limit are not counted', async () => {
  const { engine, run } = await aSurveyWith(null)
  await run()
  expect(engine.questions).toBe(0)
})

test('the count is repeated when the engine was away', async () => {
  const { counts, engine, run, survey } = await aSurveyWith(10)
  engine.isAway = true
  await expect(run()).rejects.toThrow('away')
  engine.isAway = false
  engine.submissions = 3
  await run()
  expect(counts.submissionsOf(survey())).toBe(3)
})
