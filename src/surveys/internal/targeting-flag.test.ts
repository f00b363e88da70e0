import { expect, test } from 'vitest'
import { operator } from '#projects/access'
import { openTestProduct, present, problemMessages, requireDone } from '#test/product/fixture'
import { alternativesOf, targetingFlagKey } from './targeting-flag'

const ana = operator('Ana')
const questions = [{ kind: 'open', text: 'Why?' }]
const paying = { type: 'person', key: 'plan', operator: 'exact', value: ['team'] }

async function launched(input: object) {
  const { product, aProject, world } = await openTestProduct()
  const { id: project } = await aProject()
  const made = requireDone(
    await product.surveys.create(project, { name: 'Why?', content: { questions }, ...input }, ana),
  )
  const { survey } = requireDone(await product.surveys.launch(project, made.survey.id, {}, ana))
  const key = targetingFlagKey(survey.id)
  const flag = () => product.flags.definitions.find(project, key)
  const sets = () => present(present(flag()).environments['production']).conditions
  return { product, project, survey, key, flag, sets, world }
}

test('a flag is kept with the survey from the launch to the end', async () => {
  const { product, project, survey, flag, sets } = await launched({
    targeting: { person: paying, percentage: 50, waitDays: 7 },
  })
  expect(
    sets().map(({ conditions, percentage }) => [
      conditions.map((one) => 'key' in one && one.key),
      percentage,
    ]),
  ).toEqual([
    [
      [`$survey_dismissed/${survey.id}`, `$survey_responded/${survey.id}`, '$survey_last_seen_date', 'plan'],
      50,
    ],
    [
      [`$survey_dismissed/${survey.id}`, `$survey_responded/${survey.id}`, '$survey_last_seen_date', 'plan'],
      50,
    ],
  ])
  expect(flag()).toMatchObject({ version: 1, keptBySurvey: survey.id })

  requireDone(await product.surveys.change(project, survey.id, { targeting: { percentage: 100 } }, ana))
  expect(sets()[0]?.percentage).toBe(100)
  requireDone(await product.surveys.stop(project, survey.id, ana))
  expect(flag()?.archivedAt).toBeDefined()
  requireDone(await product.surveys.resume(project, survey.id, ana))
  expect(flag()?.archivedAt).toBeUndefined()
})

test('a survey that is always shown needs no flag, unless it asks for persons', async () => {
  const { product, project, survey, flag, sets } = await launched({ schedule: { kind: 'always' } })
  expect(flag()).toBeUndefined()
  requireDone(await product.surveys.change(project, survey.id, { targeting: { person: paying } }, ana))
  expect(sets().map(({ conditions }) => conditions)).toEqual([[paying]])
})

test('a survey that appears after every trigger lets persons in again who have answered or dismissed it', async () => {
  const { sets } = await launched({
    targeting: {
      triggers: [{ kind: 'event', event: 'signup' }],
      repeatsOnTrigger: true,
      person: paying,
      percentage: 50,
    },
  })
  expect(sets().map(({ conditions, percentage }) => [conditions, percentage])).toEqual([[[paying], 50]])
})

test('each iteration asks again, and an end that has passed closes the flag', async () => {
  const { product, project, survey, flag, sets, world } = await launched({
    schedule: { kind: 'recurring', iterations: 3, everyDays: 10 },
    endsAt: '2026-03-20T00:00:00Z',
  })
  const keys = () => sets()[0]?.conditions.map((one) => 'key' in one && one.key)
  expect(keys()).toEqual([`$survey_dismissed/${survey.id}/1`, `$survey_responded/${survey.id}/1`])
  world.advance('11 days')
  await product.surveys.refreshTargeting(product.surveys.published.surveysOf(project))
  await product.flags.definitions.reload()
  expect(keys()).toEqual([`$survey_dismissed/${survey.id}/2`, `$survey_responded/${survey.id}/2`])
  world.advance('11 days')
  await product.surveys.refreshTargeting(product.surveys.published.surveysOf(project))
  await product.flags.definitions.reload()
  expect(flag()?.archivedAt).toEqual(world.now())
})

test('the flags list does not show it, and it cannot be changed there', async () => {
  const { product, project, key } = await launched({})
  expect(await product.flags.list(project, ana)).toEqual([])
  expect(await product.flags.find(project, key, ana)).toBeUndefined()
  const sentence = ['The flag belongs to a survey. Change the survey instead.']
  expect(problemMessages(await product.flags.turn(project, key, { isOn: false }, ana))).toEqual(sentence)
  expect(problemMessages(await product.flags.change(project, key, { owner: 'Ben' }, ana))).toEqual(sentence)
  expect(problemMessages(await product.flags.archive(project, key, ana, { anyway: true }))).toEqual(sentence)
  const posthogFlag = { key, active: false, filters: { groups: [] } }
  const imported = requireDone(await product.flags.importFrom(project, posthogFlag, ana))
  expect(imported).toMatchObject({ created: [], changed: [], refused: [{ key }] })
})

test('no other flag can depend on it', async () => {
  const { product, project, key } = await launched({})
  const onTop = { type: 'flag', flag: key, value: true }
  const conditions = [{ conditions: [onTop], percentage: 100 }]
  const wanted = { key: 'banner', environments: { production: { isOn: true, conditions } } }
  expect(problemMessages(await product.flags.create(project, wanted, ana))).toEqual([
    `A condition asks about the flag “${key}”, which this project does not have.`,
  ])
})

test('a launch changes no flag of the same key that is not the survey’s own', async () => {
  const { product, aProject } = await openTestProduct()
  const { id: project } = await aProject()
  const input = { name: 'Why?', content: { questions } }
  const { survey } = requireDone(await product.surveys.create(project, input, ana))
  const key = targetingFlagKey(survey.id)
  requireDone(await product.flags.create(project, { key }, ana))
  expect(problemMessages(await product.surveys.launch(project, survey.id, {}, ana))).toEqual([
    `The survey needs a flag with the key “${key}”, and there is one that is not its own. Duplicate the survey, and launch the copy.`,
  ])
  expect(await product.flags.find(project, key, ana)).toMatchObject({ version: 1 })
  expect((await product.surveys.find(project, survey.id, ana))?.startsAt).toBeUndefined()
})

test('nested conditions become the ways to meet them', () => {
  const is = (key: string) => ({ type: 'person', key, operator: 'is_set' }) as const
  const filter = { all: [is('a'), { any: [is('b'), { all: [is('c'), is('d')] }] }] }
  expect(alternativesOf(filter)).toEqual([
    [is('a'), is('b')],
    [is('a'), is('c'), is('d')],
  ])
})
