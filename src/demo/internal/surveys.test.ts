import { uncountedSubmissions } from '#test/product/some-survey'
import { describe, expect, test } from 'vitest'
import { demoEvents, demoNow } from '#test/product/demo-events'
import { openTestProduct, present } from '#test/product/fixture'
import type { Json } from '#events/event'
import { operator } from '#projects/access'
import type { Answers } from '#surveys/question'
import { answerProblem } from '#surveys/run/check-answer'
import { answersOnPath, replayAnswers } from '#surveys/run/session'
import { wordsFor } from '#surveys/run/words'
import { SurveyEventCheck } from '#surveys/internal/survey-event-check'
import { translated } from '#surveys/translate'
import { beginningBefore } from './demo-days'
import type { DemoEvent } from './event'
import { addDemoSurveys } from './launch-surveys'
import { dayMs } from './story'
import { demoSurveys, marketFit, postFeedback, recommendation } from './surveys'

const events = demoEvents({ events: 100_000 }).filter(({ event }) => event.startsWith('survey '))
const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
const about = ({ id }: { id: string }, event?: string): DemoEvent[] =>
  events.filter((one) => one.properties['$survey_id'] === id && (!event || one.event === event))

const responsePrefix = '$survey_response_'
const answersOf = ({ properties }: DemoEvent): Answers =>
  Object.fromEntries(
    Object.entries(properties).flatMap(
      ([name, value]) =>
        name.startsWith(responsePrefix)
          ? [[name.slice(responsePrefix.length), value as Answers[string]]]
          : [], // the demo answers with texts, numbers and lists alone
    ),
  )

const submissions = Map.groupBy(
  events.filter(({ properties }) => properties['$survey_submission_id'] !== undefined),
  ({ properties }) => textOf(properties['$survey_submission_id']),
)

test('the project has them all, launched at their day, and only once', async () => {
  const { product, aProject } = await openTestProduct()
  const { id } = await aProject()
  const begin = beginningBefore(demoNow)
  await addDemoSurveys(product, id, begin, operator())
  await addDemoSurveys(product, id, begin, operator())

  const surveys = await product.surveys.list(id, operator())
  expect(surveys).toHaveLength(3)
  for (const { id: own, name, launchDay } of demoSurveys)
    expect(surveys.find((survey) => survey.id === own)).toMatchObject({
      name,
      startsAt: new Date(begin.getTime() + launchDay * dayMs),
    })
  const check = new SurveyEventCheck({
    find: (projectId, survey) => product.surveys.published.find(projectId, survey),
    versionsOf: (projectId, survey) => product.surveys.published.versionsOf(projectId, survey),
    counts: uncountedSubmissions,
    deliveries: { add: async () => {} },
  })
  const objections = events.flatMap(({ event, timestamp, properties }) => {
    const sent = {
      projectId: id,
      name: event,
      at: new Date(timestamp),
      receivedAt: new Date(timestamp),
      properties,
      isHistorical: false,
      isTrusted: false,
    }
    return check.objectionTo(sent) ?? []
  })
  expect(objections).toEqual([])
})

test.each(demoSurveys.map((survey) => [survey.name, survey] as const))(
  '%s was shown, answered and left alone',
  (_, survey) => {
    const [shown, sent] = [about(survey, 'survey shown'), about(survey, 'survey sent')]
    const answered = new Set(sent.map(({ properties }) => properties['$survey_submission_id']))
    expect(answered.size).toBeGreaterThan(20)
    expect(answered.size / shown.length).toBeGreaterThan(0.1)
    expect(answered.size / shown.length).toBeLessThan(0.7)
    expect(sent.some(({ properties }) => properties['$survey_completed'] === true)).toBe(true)
    expect(sent.some(({ properties }) => properties['$survey_completed'] === false)).toBe(true)
    for (const { id } of survey.content.questions)
      expect(sent.some(({ properties }) => properties[responsePrefix + id])).toBe(true)
  },
)

describe('every answer', () => {
  test('is one that the survey takes, on the way that its answers lead', () => {
    const sent = events.filter(({ event }) => event === 'survey sent')
    const problems = sent.flatMap((event) => {
      const { properties } = event
      const survey = present(demoSurveys.find(({ id }) => id === properties['$survey_id']))
      const language = textOf(properties['$survey_language']) || undefined
      const content = translated(survey.content, language)
      const answers = answersOf(event)
      const session = replayAnswers(content, answers)
      expect(answersOnPath(content, session)).toEqual(answers)
      expect(properties['$survey_completed']).toBe(session.screen.kind === 'end')
      expect(properties['$survey_questions']).toEqual(
        content.questions.map(({ id, text }) => ({
          id,
          question: text,
          ...(id in answers && { response: answers[id] }),
        })),
      )
      return Object.entries(answers).flatMap(([id, answer]) => {
        const question = present(content.questions.find((one) => one.id === id))
        return answerProblem(question, answer, wordsFor('en')) ?? []
      })
    })
    expect(sent.length).toBeGreaterThan(200)
    expect(problems).toEqual([])
  })

  test('of a submission comes with those before it, and nothing follows the last', () => {
    for (const own of submissions.values()) {
      const counts = own.map((event) => Object.keys(answersOf(event)).length)
      const sent = own.filter(({ event }) => event === 'survey sent')
      expect(counts.slice(0, sent.length)).toEqual(sent.map((_, index) => index + 1))
      const isCompleted = sent.at(-1)?.properties['$survey_completed'] === true
      expect(own.length - sent.length).toBeLessThanOrEqual(isCompleted ? 0 : 1)
    }
  })

  test('is in German where Germans are asked in German, and only there', () => {
    const german = about(recommendation).filter(({ properties }) => properties['$survey_language'] === 'de')
    expect(german.length).toBeGreaterThan(10)
    expect(german.every(({ properties }) => textOf(properties['$browser_language']).startsWith('de'))).toBe(
      true,
    )
    expect(new Set(german.map(({ properties }) => properties['$survey_name']))).toEqual(
      new Set(['Würden Sie uns empfehlen?']),
    )
    const others = [...about(marketFit), ...about(postFeedback)]
    expect(others.filter(({ properties }) => '$survey_language' in properties)).toEqual([])
  })
})

test('a person sees no survey twice, and two of them a month apart', () => {
  const asked = Map.groupBy(
    [...about(recommendation, 'survey shown'), ...about(marketFit, 'survey shown')],
    ({ distinct_id }) => distinct_id,
  )
  const pairs = [...asked.values()].filter(({ length }) => length > 1)
  expect(pairs.length).toBeGreaterThan(0)
  for (const shown of pairs) {
    expect(new Set(shown.map(({ properties }) => properties['$survey_id'])).size).toBe(shown.length)
    const times = shown.map(({ timestamp }) => Date.parse(timestamp)).toSorted((one, other) => one - other)
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(28 * dayMs)
  }
})
