import { expect, test } from 'vitest'
import { z } from 'zod'
import { aSurvey, npsQuestion, someContent } from '#test/product/some-survey'
import { statusAt, type Survey } from '../survey'
import { PosthogSurveyLists } from './survey-lists'

const noon = new Date('2026-11-22T12:00:00Z')
const hoursLater = (hours: number) => new Date(noon.getTime() + hours * 3_600_000)

function listsOf(surveys: readonly Survey[], { responses = 0, now = noon } = {}) {
  const world = { surveys, responses, now }
  const lists = new PosthogSurveyLists({
    surveysOf: () => world.surveys,
    statusOf: (survey) => statusAt(survey, world.now, world.responses),
    targetingFlagOf: ({ id }) => `survey-targeting-${id}`,
    now: () => world.now,
  })
  return { world, list: () => lists.listOf(1), ids: () => idsIn(lists.listOf(1).json) }
}

const body = z.object({ surveys: z.array(z.looseObject({ id: z.string() })) })
const idsIn = (json: string) => body.parse(JSON.parse(json)).surveys.map(({ id }) => id)

const html = {
  format: 'html',
  text: '<b>b</b><img src=x onerror="alert(1)"><script>alert(2)</script>',
} as const

test.each<[string, Partial<Survey>, boolean]>([
  ['running', {}, true],
  ['a draft', { startsAt: undefined }, false],
  ['begins later', { startsAt: hoursLater(1) }, false],
  ['ended', { endsAt: noon }, false],
  ['ends later', { endsAt: hoursLater(1) }, true],
  ['archived', { archivedAt: noon }, false],
  ['full', { responseLimit: 5 }, false],
  ['nearly full', { responseLimit: 6 }, true],
  ['without questions', { content: someContent([]) }, false],
  ['only at its own address', { placement: { kind: 'hosted' } }, false],
  ['for some languages', { targeting: { languages: ['de'] } }, false],
  ['after the last iteration', { schedule: { kind: 'recurring', iterations: 2, everyDays: 30 } }, false],
  ['in its last iteration', { schedule: { kind: 'recurring', iterations: 2, everyDays: 200 } }, true],
])('posthog-js is given a survey that is %s: %s', (_, changes, isGiven) =>
  expect(listsOf([aSurvey(changes)], { responses: 5 }).ids()).toEqual(isGiven ? ['nps'] : []),
)

test('a list is written once, and again when something changed or began', () => {
  const { world, list, ids } = listsOf([aSurvey(), aSurvey({ id: 'later', startsAt: hoursLater(1) })])
  const first = list()
  world.now = hoursLater(0.9)
  expect(list()).toBe(first)
  world.now = hoursLater(1)
  expect(ids()).toEqual(['nps', 'later'])
  const second = list()
  expect(list()).toBe(second)
  world.surveys = [aSurvey({ name: 'Renamed' })]
  expect(ids()).toEqual(['nps'])
})

test('an iteration that begins is told, and a limit that is reached', () => {
  const recurring = aSurvey({
    schedule: { kind: 'recurring', iterations: 9, everyDays: 1 },
    startsAt: hoursLater(-23),
  })
  const { world, list } = listsOf([recurring, aSurvey({ id: 'limited', responseLimit: 3 })])
  expect(list().json).toContain('"current_iteration":1')
  world.now = hoursLater(1)
  expect(list().json).toContain('"current_iteration":2')
  expect(idsIn(list().json)).toContain('limited')
  world.responses = 3
  expect(idsIn(list().json)).not.toContain('limited')
})

test('nothing of what members wrote for themselves leaves, and no script', () => {
  const content = someContent([{ ...npsQuestion, description: html }], {
    endCards: [{ id: 'thanks', header: 'Thanks', description: html, buttonText: '', link: '' }],
  })
  const { json } = listsOf([aSurvey({ content })]).list()
  expect(json).not.toMatch(/Only for members|onerror|<script|Ana/)
  expect(json).toContain('<b>b</b>')
  expect(json).toContain('"internal_targeting_flag_key":"survey-targeting-nps"')
})

test('a project without surveys to show has an empty list', () => {
  expect(listsOf([]).list()).toEqual({ json: '{"surveys":[]}', isEmpty: true })
  expect(listsOf([aSurvey({ archivedAt: noon })]).list()).toMatchObject({
    json: '{"surveys":[]}',
    isEmpty: true,
  })
})
