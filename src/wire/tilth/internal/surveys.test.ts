import { describe, expect, test } from 'vitest'
import { openRateLimiter } from '#world/rate-limiter'
import { answerRateLimit } from '#surveys/answers/survey-answers'
import { proofOfPin } from '#surveys/answers/pin-proof'
import { contentWith, everyKind } from '#test/product/every-survey-kind'
import type { Survey } from '#surveys/survey'
import { testSurvey, testSurveyAnswers } from '#test/surveys/test-survey-answers'
import { answerTo, recordingWireServices } from '#test/wire/trackers-fixture'

const rating = contentWith(
  everyKind.filter(({ kind }) => kind === 'rating').map((one) => ({ ...one, isRequired: true })),
)

type Given = Parameters<typeof testSurveyAnswers>[1]

const servicesWith = (survey: Partial<Survey> = {}, given: Given = {}) =>
  Object.assign(recordingWireServices(), { surveyAnswers: testSurveyAnswers([testSurvey(survey)], given) })

const send = (body: object, services = servicesWith(), path = '/_tilth/surveys/survey-1/answers') =>
  answerTo({ path, body: { key: 'key-1', ...body } }, services)

const parsed = (answer: { body?: unknown }): unknown => JSON.parse(String(answer.body))

const completeAnswers = {
  rating: 9,
  open: ' Fast ',
  plan: 'Team',
  why: ['Speed', 'Colour'],
  link: 'link clicked',
  rank: ['B', 'A', 'C'],
  matrix: { app: 'good' },
  pet: ['Cat'],
  day: '2026-05-01',
  contact: { email: 'ana@example.com' },
  consent: true,
}

test('answers of every kind become an event in PostHog’s form', async () => {
  const services = servicesWith()
  const answer = await send({ answers: completeAnswers, url: 'https://site.example/a' }, services)
  expect(answer.status).toBe(200)
  expect(parsed(answer)).toMatchObject({ taken: true, confirmation: 'Thank you.' })
  expect(services.events()).toMatchObject([
    {
      name: 'survey sent',
      distinctId: undefined,
      properties: {
        $survey_id: 'survey-1',
        $survey_version: 1,
        $survey_completed: true,
        $current_url: 'https://site.example/a',
        $survey_response_rating: 9,
        $survey_response_open: 'Fast',
        $survey_response_rank: ['B', 'A', 'C'],
        $survey_response_matrix: { app: 'good' },
        $survey_response_consent: true,
      },
      person: { set: { '$survey_responded/survey-1': true } },
    },
  ])
})

test.each([
  // the answers given   whether the dismissal belongs to a submission
  [{}, false],
  [{ rating: 9 }, true],
])('a dismissal with answers %j', async (answers, isOfSubmission) => {
  const services = servicesWith()
  const submissionId = '0192f0a1-7c11-4d5e-8a3f-1b2c3d4e5f60'
  await send({ event: 'dismissed', answers, submissionId }, services)
  const [event] = services.events()
  expect(event?.name).toBe('survey dismissed')
  expect(event?.properties['$survey_submission_id']).toBe(isOfSubmission ? submissionId : undefined)
})

test('a survey for every time may be answered again', async () => {
  const upgrade = { kind: 'event' as const, event: 'upgrade', properties: [] }
  const repeatable = async (survey: Partial<Survey>) => {
    const answer = await answerTo({ method: 'GET', path: '/_tilth/surveys?key=key-1' }, servicesWith(survey))
    return parsed(answer)
  }
  expect(await repeatable({ targeting: { triggers: [upgrade], repeatsOnTrigger: true } })).toMatchObject({
    surveys: [{ isRepeatable: true }],
  })
  expect(await repeatable({ targeting: { triggers: [upgrade] } })).toMatchObject({
    surveys: [{ isRepeatable: false }],
  })
})

const hostedWith = (page: Partial<Survey['hostedPage']>): Partial<Survey> => ({
  placement: { kind: 'hosted' },
  hostedPage: { ...testSurvey().hostedPage, ...page },
})

test('of a flood from one network, what is within the limit is stored and the rest is refused and counted', async () => {
  const { limit } = answerRateLimit
  const services = servicesWith({}, { mayAnswer: openRateLimiter(answerRateLimit) })
  const statuses: number[] = []
  for (let n = 0; n < 10_000; n++)
    statuses.push((await send({ answers: { rating: n % 11 } }, services)).status)
  expect(statuses.slice(0, limit)).toEqual(Array.from({ length: limit }, () => 200))
  expect(new Set(statuses.slice(limit))).toEqual(new Set([429]))
  expect(services.events()).toHaveLength(limit)
  expect(services.refusals).toHaveLength(10_000 - limit)
  expect(services.refusals[0]).toEqual({
    dialect: 'tilth',
    reason: 'survey-answers',
    named: 'Too many requests from your network. Wait a few minutes.',
    projectId: 1,
  })
})

describe('what is refused, with a sentence', () => {
  test.each<[string, Partial<Survey>, Given, object, number, string]>([
    ['a draft', { startsAt: undefined }, {}, {}, 409, 'This survey does not accept responses yet.'],
    ['an end', { endsAt: new Date(0) }, {}, {}, 409, 'This survey has ended. Thank you for your interest.'],
    [
      'a full one',
      { responseLimit: 3 },
      { responses: 3 },
      {},
      409,
      'This survey has enough responses. Thank you for your interest.',
    ],
    [
      'a page that is closed',
      hostedWith({ isOpen: false }),
      {},
      {},
      403,
      'The page of this survey is closed.',
    ],
    [
      'a page that needs a link',
      hostedWith({ needsLink: true }),
      {},
      {},
      403,
      'This survey needs a personal link.',
    ],
    [
      'a page with a PIN, without it',
      hostedWith({ pinHash: 'hash' }),
      {},
      { proof: `${Date.now() + 60_000}.forged` },
      403,
      'This survey needs a PIN.',
    ],
    [
      'a flood',
      {},
      { mayAnswer: () => false },
      {},
      429,
      'Too many requests from your network. Wait a few minutes.',
    ],
    ['another id', { id: 'another' }, {}, {}, 404, 'There is no such survey.'],
    ['a value outside the scale', {}, {}, { answers: { rating: 11 } }, 422, 'Some answers are not valid.'],
    ['a question it lacks', {}, {}, { answers: { gone: 'x' } }, 422, 'Some answers are not valid.'],
    ['a field it lacks', {}, {}, { fields: { role: 'admin' } }, 422, 'Some answers are not valid.'],
    ['no object of answers', {}, {}, { answers: 'yes' }, 422, 'Some answers are not valid.'],
    ['a required answer that lacks', { content: rating }, {}, {}, 422, 'Some answers are not valid.'],
  ])('%s', async (_, survey, given, body, status, problem) => {
    const services = servicesWith(survey, given)
    const answer = await send(body, services)
    expect(answer.status).toBe(status)
    expect(parsed(answer)).toMatchObject({ taken: false, problem })
    expect(services.events()).toEqual([])
  })

  test('a megabyte of text', async () => {
    const services = servicesWith()
    const answer = await send({ answers: { open: 'x'.repeat(1024 ** 2) } }, services)
    expect(answer.status).toBe(413)
    expect(services.refusals).toMatchObject([{ reason: 'too-large' }])
  })
})

test('each problem names its question', async () => {
  const answer = await send({ answers: { rating: 11, day: 'tomorrow' } })
  expect(parsed(answer)).toMatchObject({
    problems: { rating: 'Choose a value from 0 to 10.', day: 'Choose a date.' },
  })
})

test('markup in an answer stays text', async () => {
  const services = servicesWith()
  await send({ answers: { open: '<script>alert(1)</script>' } }, services)
  expect(services.events()[0]?.properties).toMatchObject({
    $survey_response_open: '<script>alert(1)</script>',
  })
})

test('a partial answer says so, and keeps its submission', async () => {
  const services = servicesWith()
  const submissionId = '0192f0a1-7c11-4d5e-8a3f-1b2c3d4e5f60'
  await send({ answers: { rating: 9 }, isComplete: false, submissionId }, services)
  expect(services.events()[0]?.properties).toMatchObject({
    $survey_completed: false,
    $survey_submission_id: submissionId,
  })
})

test('a full survey takes the rest of a submission that has begun', async () => {
  const submissionId = '0192f0a1-7c11-4d5e-8a3f-1b2c3d4e5f60'
  const services = servicesWith({ responseLimit: 3 }, { responses: 3, begun: [submissionId] })
  expect((await send({ answers: { rating: 9 }, submissionId }, services)).status).toBe(200)
  const another = submissionId.replace('0192', '0193')
  expect((await send({ answers: { rating: 9 }, submissionId: another }, services)).status).toBe(409)
})

test('the proof of a PIN opens the endpoint of a hosted survey', async () => {
  const services = servicesWith(hostedWith({ pinHash: 'hash' }))
  const proof = proofOfPin('hash', 'survey-1', new Date())
  expect((await send({ answers: { rating: 9 }, proof }, services)).status).toBe(200)
})

test('a form of any page is taken as well, unless a program filled it in', async () => {
  const services = servicesWith()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const form = (more: string) =>
    answerTo(
      {
        path: '/_tilth/surveys/survey-1/answers',
        body: `key=key-1&answer.rating=9&answer.consent=yes${more}`,
        headers,
      },
      services,
    )
  expect((await form('')).status).toBe(200)
  expect((await form('&website=x')).status).toBe(200)
  expect(services.events()).toMatchObject([
    { properties: { $survey_response_rating: 9, $survey_response_consent: true } },
  ])
})

describe('definitions', () => {
  const ask = async (survey: Partial<Survey>, query = '', given: Given = {}) =>
    // the endpoint's own answer
    parsed(
      await answerTo(
        { method: 'GET', path: `/_tilth/surveys?key=key-1${query}` },
        servicesWith(survey, given),
      ),
    ) as { surveys: { id: string; name: string; content: { questions: { text: string }[] } }[] }

  test('say nothing that is not for everyone', () => {
    const survey = testSurvey({
      targeting: {
        person: { type: 'person', key: 'plan', operator: 'exact', value: 'secret plan' },
        waitDays: 3,
      },
      hostedPage: { isOpen: true, needsLink: true, pinHash: 'hash of the pin', mayBeEmbedded: false },
    })
    const shown = testSurveyAnswers([survey]).publicSurvey(survey, [])
    expect(shown).toMatchObject({ id: 'survey-1', targeting: { waitDays: 3 } })
    expect(JSON.stringify(shown)).not.toMatch(/private note|secret plan|hash of the pin|member@/)
  })

  test.each<[string, Partial<Survey>, string, Given, number]>([
    ['one that runs', {}, '', {}, 1],
    ['a draft', { startsAt: undefined }, '', {}, 0],
    ['one for its own page only', { placement: { kind: 'hosted' } }, '', {}, 0],
    ['one without questions', { content: contentWith([]) }, '', {}, 0],
    ['one whose conditions on the person no flag decides', { targeting: { percentage: 50 } }, '', {}, 0],
    ['one whose flag is off for this visitor', {}, '', { targetingFlag: 'survey-targeting-x' }, 0],
  ])('%s', async (_, survey, query, given, count) =>
    expect((await ask(survey, query, given)).surveys).toHaveLength(count),
  )

  test('hold no script, whatever is in the store', async () => {
    const description = { format: 'html', text: 'Read <b>this</b><img src=x onerror=alert(1)>' } as const
    const questions = everyKind.slice(0, 1).map((question) => ({ ...question, description }))
    const answer = await ask({ content: contentWith(questions) })
    expect(answer.surveys).toMatchObject([
      { content: { questions: [{ description: { text: 'Read <b>this</b>' } }] } },
    ])
  })

  test('are in the visitor’s language', async () => {
    const translations = { de: { name: 'Umfrage', questions: { rating: { text: 'Empfehlen Sie uns?' } } } }
    const answer = await ask({ content: { ...rating, translations } }, '&lang=de-AT,en')
    expect(answer.surveys).toMatchObject([
      { name: 'Umfrage', language: 'de', content: { questions: [{ text: 'Empfehlen Sie uns?' }] } },
    ])
  })
})

test.each([
  ['popover', './part-surveys.js'],
  ['api', undefined],
] as const)('events of a project with a survey of the kind %s hint at it: %s', async (kind, hint) => {
  const services = servicesWith({ placement: { kind } })
  const answer = await answerTo({ path: '/_tilth/event', body: { key: 'key-1', events: [] } }, services)
  expect(answer.headers?.['x-tilth-part']).toBe(hint)
})
