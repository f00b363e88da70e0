import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { aSurvey } from '#test/product/some-survey'
import { sanitizeHtml } from '../../sanitize-html'
import { newSurvey } from '../../survey-input'
import { toPosthogApi } from './api-form'
import { fromPosthog } from '../from-posthog'

const now = new Date('2026-11-22T12:00:00Z')
const folder = join(import.meta.dirname, '../../../../test/recordings/posthog/surveys')
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
  const read = fromPosthog(given, { sanitize: sanitizeHtml })
  if (!read.done) return ['refused']
  return newSurvey.safeParse(read.value.survey).error?.issues.map(({ message }) => message)
}

test.each(recordedSurveys.filter(({ name }) => !refused.test(name)))(
  'the survey of $name can be created from PostHog’s form',
  ({ given }) => expect(created(given)).toBeUndefined(),
)

test.each(recordedSurveys.filter(({ name }) => refused.test(name)))(
  'the survey of $name is refused',
  ({ given }) => expect(created(given)).toBeDefined(),
)

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
