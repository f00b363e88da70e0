import { expect, onTestFinished, test, vi } from 'vitest'
import { openTestProduct, requireDone } from '#test/product/fixture'
import { operator } from '#projects/access'
import { openStore } from '#store/open'
import { patienceMs } from '#test/running/patience'
import { SubmissionCounts } from './submission-counts'

const viewer = operator()
const content = { questions: [{ id: 'why', kind: 'open', text: 'Why?' }] }
const often = { timeout: patienceMs, interval: 20 }

async function aLimitedSurvey(responseLimit: number | undefined = 2) {
  const { product, world, folder, aProject } = await openTestProduct()
  const { id: projectId } = await aProject()
  const made = await product.surveys.create(projectId, { name: 'Why?', content, responseLimit }, viewer)
  const survey = requireDone(
    await product.surveys.launch(projectId, requireDone(made).survey.id, {}, viewer),
  ).survey

  /** Counts as another process has them. */
  async function aProcess() {
    const store = await openStore({ folder, url: undefined })
    const troubles: unknown[] = []
    const counts = await SubmissionCounts.open({ store, world, onTrouble: (one) => troubles.push(one) })
    onTestFinished(async () => {
      await counts.close()
      await store.close()
    })
    return { counts, store, troubles }
  }
  return { product, survey, world, aProcess }
}

test('every process, also one that begins later, knows how many there are and which have begun', async () => {
  const { product, survey, aProcess } = await aLimitedSurvey()
  const one = await aProcess()
  const other = await aProcess()
  one.counts.note(survey, 'a')
  expect(one.counts.submissionsOf(survey)).toBe(1)
  await one.counts.saved()
  other.counts.note(survey, 'b')
  await other.counts.saved()
  await vi.waitFor(() => expect(one.counts.submissionsOf(survey)).toBe(2), often)
  await vi.waitFor(() => expect(product.surveys.statusOf(survey)).toBe('full'), often)
  expect([one.counts.hasBegun(survey, 'b'), one.counts.hasBegun(survey, 'c')]).toEqual([true, false])

  const later = await aProcess()
  expect(later.counts.submissionsOf(survey)).toBe(2)
  expect(later.counts.hasBegun(survey, 'a')).toBe(true)
})

test('a submission counts once, whichever process notes it; one without an id always counts', async () => {
  const { survey, aProcess } = await aLimitedSurvey()
  const one = await aProcess()
  const other = await aProcess()
  for (const submission of ['a', 'a', '', '']) one.counts.note(survey, submission)
  other.counts.note(survey, 'a')
  await Promise.all([one.counts.saved(), other.counts.saved()])
  await vi.waitFor(() => expect(other.counts.submissionsOf(survey)).toBe(3), often)
})

test('a survey without a limit writes nothing', async () => {
  const { survey, aProcess } = await aLimitedSurvey()
  const { counts } = await aProcess()
  counts.note({ ...survey, responseLimit: undefined }, 'a')
  await counts.saved()
  expect(counts.all()).toEqual([])
})

test('what a store in trouble does not take is counted meanwhile, and written later', async () => {
  const { survey, aProcess } = await aLimitedSurvey()
  const { counts, store, troubles } = await aProcess()
  const write = vi.spyOn(store, 'transaction').mockRejectedValueOnce(new Error('away'))
  counts.note(survey, 'a')
  await counts.saved()
  expect(troubles).toHaveLength(1)
  expect(counts.submissionsOf(survey)).toBe(1)
  await vi.waitFor(() => expect(counts.all()).toMatchObject([{ submissions: 1 }]), often)
  expect(write).toHaveBeenCalledTimes(2)
})

test('a submission is remembered for a day', async () => {
  const { survey, world, aProcess } = await aLimitedSurvey()
  const { counts } = await aProcess()
  counts.note(survey, 'a')
  await counts.saved()
  world.advance('25 hours')
  const later = await aProcess()
  expect(later.counts.submissionsOf(survey)).toBe(1)
  expect(later.counts.hasBegun(survey, 'a')).toBe(false)
})
