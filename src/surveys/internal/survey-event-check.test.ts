import { describe, expect, test } from 'vitest'
import type { Properties } from '#events/event'
import {
  aSurvey,
  npsQuestion,
  openQuestion,
  someContent,
  uncountedSubmissions,
} from '#test/product/some-survey'
import { everyKind } from '#test/product/every-survey-kind'
import type { Survey } from '../survey'
import { SurveyEventCheck } from './survey-event-check'

const noon = new Date('2026-11-22T12:00:00Z')
const hoursLater = (hours: number) => new Date(noon.getTime() + hours * 3_600_000)

function checkOf(
  changes: Partial<Survey> = {},
  { responses = 0, older = [] as Survey['content'][], elsewhere = [] as string[] } = {},
) {
  const survey = aSurvey(changes)
  const noted: string[] = []
  const check = new SurveyEventCheck({
    find: (projectId, id) => (projectId === 1 && id === 'nps' ? survey : undefined),
    versionsOf: () =>
      older.map((content, index) => ({
        surveyId: 'nps',
        version: index + 1,
        content,
        createdBy: '',
        createdAt: noon,
      })),
    deliveries: { add: async () => {} },
    counts: {
      ...uncountedSubmissions,
      submissionsOf: () => responses + noted.length,
      hasBegun: (_, submission) => elsewhere.includes(submission),
      note: (_, submission) => void noted.push(submission),
    },
  })
  const objectionTo = (
    properties: Properties = {},
    more: { name?: string; at?: Date; isHistorical?: boolean; isTrusted?: boolean } = {},
  ) =>
    check.objectionTo({
      projectId: 1,
      name: 'survey sent',
      at: noon,
      receivedAt: noon,
      isHistorical: false,
      isTrusted: false,
      ...more,
      properties: { $survey_id: 'nps', ...properties },
    })
  return { objectionTo, noted }
}

test.each([['another'], [7], [null], [['nps']]])('the id %s is of no survey', (id) =>
  expect(checkOf().objectionTo({ $survey_id: id })).toBe('unknown-survey'),
)

test.each<[string, Partial<Survey>, Date, string | undefined]>([
  ['while it runs', {}, noon, undefined],
  ['as a draft', { startsAt: undefined }, noon, 'survey-closed'],
  ['long before it begins', { startsAt: hoursLater(2) }, noon, 'survey-closed'],
  ['by a clock that is behind', { startsAt: hoursLater(0.5) }, noon, undefined],
  ['within an hour after its end', { endsAt: hoursLater(-0.9) }, noon, undefined],
  ['later than that', { endsAt: hoursLater(-1.1) }, noon, 'survey-closed'],
  ['before its end, sent late', { endsAt: hoursLater(-10) }, hoursLater(-11), undefined],
  ['before its end, sent a day after that', { endsAt: hoursLater(-25) }, hoursLater(-26), 'survey-closed'],
  ['after it was archived', { archivedAt: hoursLater(-1.1) }, noon, 'survey-closed'],
])('an answer %s', (_, changes, at, objection) =>
  expect(checkOf(changes).objectionTo({}, { at })).toBe(objection),
)

test('imported answers may be older than the survey', () =>
  expect(
    checkOf({ startsAt: noon }).objectionTo({}, { at: hoursLater(-900), isHistorical: true }),
  ).toBeUndefined())

describe('answers', () => {
  const content = someContent([...everyKind])
  const ofKind = (kind: string) => everyKind.find((question) => question.kind === kind)?.id ?? ''

  test.each<[string, Properties[string], boolean]>([
    ['rating', 3, true],
    ['rating', '3', true],
    ['rating', 11, false],
    ['rating', -1, false],
    ['rating', 2.5, false],
    ['rating', true, false],
    ['rating', null, true],
    ['rating', ['3'], false],
    ['rating', '', true],
    ['open', 'text', true],
    ['open', 7, false],
    ['single-choice', 'in another language', true],
    ['single-choice', ['a'], false],
    ['multiple-choice', ['a', 'b'], true],
    ['multiple-choice', [1], false],
    ['link', 'link clicked', true],
    ['ranking', ['a', 'b'], true],
    ['matrix', { row: 'column' }, true],
    ['matrix', ['column'], false],
    ['date', '2026-01-01', true],
    ['contact', { email: 'a@b.example' }, true],
    ['contact', { email: 1 }, false],
    ['consent', true, true],
    ['consent', 'yes', false],
  ])('to a question of the kind %s: %j', (kind, answer, isValid) =>
    expect(checkOf({ content }).objectionTo({ [`$survey_response_${ofKind(kind)}`]: answer })).toBe(
      isValid ? undefined : 'invalid-answer',
    ),
  )

  test.each<[string, Properties, boolean]>([
    ['the first by position', { $survey_response: 9 }, true],
    ['the first by position, outside the scale', { $survey_response: 12 }, false],
    ['the second by position', { $survey_response_1: 'because' }, true],
    ['the second by position, as a number', { $survey_response_1: 4 }, false],
    ['a question that is gone', { $survey_response_gone: 99 }, true],
  ])('of old clients: %s', (_, properties, isValid) =>
    expect(checkOf().objectionTo(properties)).toBe(isValid ? undefined : 'invalid-answer'),
  )

  test('a page that still shows an older version sends answers of that one', () => {
    const older = [someContent([openQuestion, { ...npsQuestion, id: 'why' }])]
    expect(checkOf({}, { older }).objectionTo({ $survey_response: 'typed' })).toBeUndefined()
    expect(checkOf().objectionTo({ $survey_response: 'typed' })).toBe('invalid-answer')
  })
})

describe('submissions', () => {
  const partial = (id: string) => ({ $survey_submission_id: id })

  test('a full survey takes no new ones, and lets those that have begun be finished', () => {
    const { objectionTo, noted } = checkOf({ responseLimit: 2 })
    expect(objectionTo(partial('a'))).toBeUndefined()
    expect(objectionTo(partial('b'))).toBeUndefined()
    expect(objectionTo(partial('c'))).toBe('survey-closed')
    expect(objectionTo()).toBe('survey-closed')
    expect(objectionTo(partial('a'))).toBeUndefined()
    expect(objectionTo({}, { name: 'survey shown' })).toBeUndefined()
    expect(noted).toEqual(['a', 'b'])
  })

  test('a full survey lets submissions be finished that began before a restart or elsewhere', () => {
    const { objectionTo } = checkOf({ responseLimit: 2 }, { responses: 2, elsewhere: ['a'] })
    expect(objectionTo(partial('a'))).toBeUndefined()
    expect(objectionTo(partial('b'))).toBe('survey-closed')
  })

  test('a loop of branches ends after 200 events', () => {
    const { objectionTo } = checkOf()
    const objections = Array.from({ length: 201 }, () => objectionTo(partial('a')))
    expect(objections.filter(Boolean)).toEqual(['too-many-answers'])
    expect(objections.at(-1)).toBe('too-many-answers')
    expect(objectionTo(partial('b'))).toBeUndefined()
  })
})

test.each(['survey sent', 'survey shown', 'survey dismissed', 'survey abandoned'])(
  'what is sent past the page of a survey is refused, also as history: %s',
  (name) => {
    const { objectionTo } = checkOf({ placement: { kind: 'hosted' } })
    expect(objectionTo({}, { name })).toBe('survey-page-only')
    expect(objectionTo({}, { name, isHistorical: true })).toBe('survey-page-only')
    expect(objectionTo({}, { name, isTrusted: true })).toBeUndefined()
  },
)

test('a test is taken before the launch and counts for no limit; a client cannot call its answers one', () => {
  const draft = checkOf({ startsAt: undefined, responseLimit: 1 })
  expect(draft.objectionTo({ $survey_test: true }, { isTrusted: true })).toBeUndefined()
  expect(draft.noted).toEqual([])
  expect(draft.objectionTo({ $survey_test: true })).toBe('survey-closed')
})
