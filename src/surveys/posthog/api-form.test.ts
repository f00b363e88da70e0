import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { aSurvey, npsQuestion, openQuestion, someContent } from '#test/some-survey'
import { changedSurvey, newSurvey, surveyChange } from '../survey-input'
import { surveyChangeFrom, surveyInputFrom, toPosthogApi } from './api-form'

const now = new Date('2026-11-22T12:00:00Z')
const folder = join(import.meta.dirname, '../../../test/recordings/posthog/surveys')
const recording = z.object({ surveys: z.array(z.looseObject({ id: z.string() })) })

/**
 * 82 and 83 lead back to earlier questions, A9 has a kind of questions that PostHog does not have, 96 tells no number of
 * iterations, 99 has a link that runs script.
 */
const refused = /^(?:82|83|A9|96|99)|badregex/

const recordedSurveys = readdirSync(folder).flatMap((file) =>
  recording
    .parse(JSON.parse(readFileSync(join(folder, file), 'utf8')))
    .surveys.map((given) => ({ name: `${file.slice(0, 2)} ${given.id}`, given })),
)

function created(given: unknown) {
  const read = surveyInputFrom(given)
  return read.done ? newSurvey.safeParse(read.input).error?.issues.map(({ message }) => message) : ['refused']
}

test.each(recordedSurveys.filter(({ name }) => !refused.test(name)))(
  'the survey of $name can be created from PostHog’s form',
  ({ given }) => expect(created(given)).toBeUndefined(),
)

test.each(recordedSurveys.filter(({ name }) => refused.test(name)))(
  'the survey of $name is refused',
  ({ given }) => expect(created(given)).toBeDefined(),
)

test('an input in our own form passes as it is', () => {
  const input = { name: 'NPS', content: { questions: [] } }
  expect(surveyInputFrom(input)).toEqual({ done: true, input, notKept: [] })
})

describe('a change', () => {
  const before = aSurvey({
    content: someContent([npsQuestion, openQuestion], { hiddenFields: ['plan'] }),
    targeting: { languages: ['de'], waitDays: 7 },
    responseLimit: 100,
  })
  const changeOf = (given: object) => {
    const read = surveyChangeFrom(given, before, now)
    if (!read.done) throw new Error(read.problems[0]?.message)
    return read.input as object
  }

  test('names only what PostHog’s form names', () => {
    expect(Object.keys(changeOf({ end_date: null, archived: false }))).toEqual(['endsAt'])
    expect(changeOf({ type: 'api' })).toEqual({ placement: { kind: 'api' } })
  })

  test('keeps what PostHog’s form cannot tell', () => {
    const change = surveyChange.parse(
      changeOf({
        questions: [{ id: 'nps', type: 'rating', scale: 10, question: 'New?' }],
        conditions: { url: '/a' },
      }),
    )
    const changed = newSurvey.parse(changedSurvey(before, change))
    expect(changed.content).toMatchObject({
      questions: [{ id: 'nps', text: 'New?' }],
      hiddenFields: ['plan'],
    })
    expect(changed.targeting).toEqual({ languages: ['de'], url: { match: 'contains', value: '/a' } })
    expect(changed.responseLimit).toBe(100)
  })

  test('without an intro screen takes the intro away', () => {
    const intro = { header: 'Hello', description: { format: 'text' as const, text: '' }, buttonText: '' }
    const greeting = { ...before, content: { ...before.content, intro } }
    const read = surveyChangeFrom({ appearance: { displayIntroScreen: false } }, greeting, now)
    if (!read.done) throw new Error(read.problems[0]?.message)
    const changed = newSurvey.parse(changedSurvey(greeting, surveyChange.parse(read.input)))
    expect(changed.content.intro).toBeUndefined()
  })

  test('says what it does not do', () =>
    expect(
      surveyChangeFrom({ start_date: '2026-01-01T00:00:00Z', archived: true }, before, now),
    ).toMatchObject({
      notKept: [expect.stringMatching(/Archive it/)],
      startsAt: new Date('2026-01-01T00:00:00Z'),
    }))
})

test('owners are told in PostHog’s form what visitors are not', () => {
  const survey = aSurvey({
    schedule: { kind: 'recurring', iterations: 3, everyDays: 30 },
    responseLimit: 10,
    endsAt: new Date('2027-01-01T00:00:00Z'),
    targeting: {
      person: { all: [{ type: 'person', key: 'plan', operator: 'exact', value: 'pro' }] },
      percentage: 20,
    },
  })
  expect(toPosthogApi(survey, now)).toMatchObject({
    description: 'Only for members.',
    iteration_count: 3,
    iteration_frequency_days: 30,
    responses_limit: 10,
    end_date: '2027-01-01T00:00:00.000Z',
    targeting_flag_filters: {
      groups: [
        {
          properties: [{ key: 'plan', operator: 'exact', value: 'pro', type: 'person' }],
          rollout_percentage: 20,
        },
      ],
    },
  })
})
