import { expect, test } from 'vitest'
import type { SurveyPlacement, SurveyStatus } from '#surveys/survey'
import { filterSurveys, surveysFilterIn } from './list-filter'

const listed = (name: string, status: SurveyStatus, kind: 'popover' | 'hosted' = 'popover') => ({
  name,
  description: `About ${name}`,
  placement: { kind } satisfies SurveyPlacement,
  status,
})
const surveys = [
  listed('NPS', 'running'),
  listed('Churn', 'draft', 'hosted'),
  listed('Old', 'archived'),
  listed('Bugs', 'ended'),
]

test.each([
  ['', ['NPS', 'Churn', 'Bugs']],
  ['state=draft', ['Churn']],
  ['placement=hosted', ['Churn']],
  ['search=about n', ['NPS']],
  ['show=archived', ['Old']],
  ['state=anything&placement=else&show=all', ['NPS', 'Churn', 'Bugs']],
])('the address %j lists %j', (search, names) => {
  const filter = surveysFilterIn(Object.fromEntries(new URLSearchParams(search)))
  expect(filterSurveys(surveys, filter, ({ status }) => status).map(({ name }) => name)).toEqual(names)
})
