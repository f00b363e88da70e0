import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Site, siteSettings } from '#posts/site'
import { watchBody } from '#http/body'
import { usualLimits } from '#http/limits'
import { readTrustedRequest } from '#http/trusted-request'
import { operator } from '#projects/access'
import { writeAccessProof } from '#surveys/answers/access-proof'
import { answerRateLimit, type SurveyAnswers } from '#surveys/answers/survey-answers'
import type { Survey } from '#surveys/survey'
import { openTestProduct, present, requireDone } from '#test/product/fixture'
import { testSurvey, testSurveyAnswers } from '#test/surveys/test-survey-answers'
import { recordingWireServices, testProject } from '#test/wire/trackers-fixture'
import { realWorld } from '#world/world'
import { answerSurveyPage, type SurveyPageDependencies } from './survey-pages'

type Served = Pick<SurveyPageDependencies, 'surveyAnswers' | 'surveyWithId'> & { site?: Site }

/** A server with the pages of surveys, and the events that they make. */
async function servePages(served: Served) {
  const context = { world: realWorld, rulesOf: () => ({ optOut: 'cookieless' as const }) }
  const services = recordingWireServices()
  const intake = Object.assign(services, { context })
  const server = createServer((request, response) => {
    const trustedRequest = readTrustedRequest(request, { trusted: { by: 'nobody' }, addresses: () => [] })
    const rules = { mostBytes: 300_000, idleMs: 5000, rate: usualLimits().bodyRate }
    const body = watchBody(request, response, rules, () => response.destroy())
    if (body)
      void answerSurveyPage({ request, response, trustedRequest }, body, {
        ...served,
        intake,
        siteOf: () => served.site,
        mayTryPin: () => true,
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // a server that listens on a port has an address of this form
  const { port } = server.address() as AddressInfo
  const ask = async (path: string, options: RequestInit = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, options)
    return { status: response.status, text: await response.text() }
  }
  return {
    ask,
    origin: `http://127.0.0.1:${port}`,
    events: () => services.events(),
    refusals: services.refusals,
  }
}

/** Sends a request to the page of a survey that is closed. */
async function askClosedPage(placement: Survey['placement'], options: RequestInit): Promise<number> {
  const hostedPage = { isOpen: false, needsLink: true, pinHash: undefined, mayBeEmbedded: false }
  const survey = testSurvey({ placement, hostedPage })
  const { ask } = await servePages({
    surveyAnswers: testSurveyAnswers([survey]),
    surveyWithId: () => ({ survey, project: testProject(1, 'key-1') }),
  })
  return (await ask('/s/survey-1', options)).status
}

const form = { method: 'POST', body: new URLSearchParams({ begin: '' }) }

test('the form of a survey in a post is taken, though the page of the survey is closed', async () =>
  expect(await askClosedPage({ kind: 'inline' }, form)).toBe(200))

test('a closed page is not shown', async () => expect(await askClosedPage({ kind: 'inline' }, {})).toBe(404))

test('a survey that has only its closed page takes no form', async () =>
  expect(await askClosedPage({ kind: 'hosted' }, form)).toBe(404))

const viewer = operator()
const content = {
  questions: [
    { id: 'score', kind: 'rating', text: 'How likely?', display: 'number', scale: 10, isRequired: true },
    { id: 'why', kind: 'open', text: 'Why?', isRequired: false },
  ],
  sendsPartialAnswers: false,
}

async function aHostedSurvey(
  needsLink: boolean,
  more: object = {},
  { isDraft = false, ...settings }: { isDraft?: boolean; schedule?: object } = {},
) {
  const { product, aProject } = await openTestProduct()
  const project = await aProject()
  const hostedPage = { isOpen: true, needsLink }
  const input = {
    id: 'survey-1',
    name: 'Score',
    content: { ...content, ...more },
    placement: { kind: 'hosted' },
    hostedPage,
    ...settings,
  }
  const made = requireDone(await product.surveys.create(project.id, input, viewer))
  const { survey } = isDraft
    ? made
    : requireDone(await product.surveys.launch(project.id, 'survey-1', {}, viewer))
  const pages = await servePages({
    surveyAnswers: product.surveys.answers,
    surveyWithId: () => ({ survey, project }),
  })
  const send = (page: string, fields: Record<string, string>) =>
    pages.ask('/s/survey-1', {
      method: 'POST',
      body: new URLSearchParams({ state: stateIn(page), ...fields }),
    })
  return { ...pages, product, project, send }
}

const stateIn = (page: string): string => present(/name="state" value="([^"]*)"/.exec(page)?.[1])

describe('a page that anyone may open', () => {
  test('thanks a program that fills in the field that people do not see, and keeps nothing', async () => {
    const { ask, send, events, refusals } = await aHostedSurvey(false)
    const trap = { website: 'https://spam.example' }
    const first = await ask('/s/survey-1')
    const second = await send(first.text, { 'answer.score': '9', ...trap })
    const end = await send(second.text, { 'answer.why': '', ...trap })
    expect(end.text).toContain('Thank you.')
    expect(events()).toEqual([])
    expect(refusals).toMatchObject([{ reason: 'survey-answers' }, { reason: 'survey-answers' }])
  })

  test('says what is wrong beside the question, and does not go back when the enter key is pressed', async () => {
    const { ask, send } = await aHostedSurvey(false, { allowsGoingBack: true })
    const first = await ask('/s/survey-1')
    expect(first.text).toContain('novalidate')
    const refused = await send(first.text, {})
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('<p id="problem.score" class="problem" role="alert">Answer this question')
    const second = await send(refused.text, { 'answer.score': '9' })
    // the enter key presses the first button
    const [next = '', back] = second.text.match(/<button[^>]*>/g) ?? []
    expect(next).not.toContain('back')
    expect(back).toContain('value="back"')
  })

  test.each([
    ['once', true],
    ['always', false],
  ])(
    'a person’s link that is opened twice is one response if the survey is asked %s',
    async (kind, isOne) => {
      const { ask, send, events } = await aHostedSurvey(false, {}, { schedule: { kind } })
      for (const score of ['9', '3']) {
        const first = await ask('/s/survey-1?distinct_id=ana')
        const second = await send(first.text, { 'answer.score': score })
        await send(second.text, { 'answer.why': '' })
      }
      const sent = events().filter(({ name }) => name === 'survey sent')
      expect(sent.map(({ distinctId }) => distinctId)).toEqual(['ana', 'ana'])
      expect(new Set(sent.map(({ properties }) => properties['$survey_submission_id'])).size).toBe(
        isOne ? 1 : 2,
      )
    },
  )

  test('has hidden fields of its own address and of the page that the survey stands in', async () => {
    const { ask, send, events, origin } = await aHostedSurvey(false, { hiddenFields: ['plan', 'place'] })
    const { text } = await ask('/s/survey-1?place=end', {
      method: 'POST',
      headers: { referer: `${origin}/blog/a?plan=pro&place=top` },
      body: new URLSearchParams({ begin: '', 'answer.score': '9' }),
    })
    await send(text, { 'answer.why': 'Fast' })
    expect(events().at(-1)?.properties).toMatchObject({ plan: 'pro', place: 'end' })
  })

  test('leads on by itself where the end card says so', async () => {
    const endCards = [{ id: 'end', header: 'Thanks', link: 'https://example.com/?a=1&b=2', redirects: true }]
    const { ask, send } = await aHostedSurvey(false, { endCards })
    const second = await send((await ask('/s/survey-1')).text, { 'answer.score': '9' })
    expect(second.text).not.toContain('http-equiv')
    const end = await send(second.text, { 'answer.why': '' })
    expect(end.text).toContain('<meta http-equiv="refresh" content="0;url=https://example.com/?a=1&#38;b=2">')
  })

  test('speaks to the visitor in the visitor’s language', async () => {
    const { ask } = await aHostedSurvey(true)
    const headers = { 'accept-language': 'fr-CH,en;q=0.5', accept: 'text/html' }
    expect((await ask('/s/survey-1', { headers })).text).toContain('lien personnel')
    expect((await ask('/s/survey-1?link=unknown', { headers })).text).toContain(
      'n’appartient pas à cette enquête',
    )
  })
})

describe('a test', () => {
  test('opens a page that needs a link, before the launch, and marks its answers', async () => {
    const { ask, send, events, product } = await aHostedSurvey(true, {}, { isDraft: true })
    const key = product.surveys.answers.testKeyOf({ id: 'survey-1' })
    expect((await ask('/s/survey-1')).status).toBe(404)
    expect((await ask(`/s/survey-1?survey_test=${key.slice(1)}x`)).status).toBe(404)
    const first = await ask(`/s/survey-1?survey_test=${key}`)
    expect(first.text).toContain('This is a test')
    const second = await send(first.text, { 'answer.score': '9' })
    await send(second.text, { 'answer.why': '' })
    expect(events()).toMatchObject([
      { name: 'survey shown', properties: { $survey_test: true }, person: { set: {} } },
      {
        name: 'survey sent',
        properties: { $survey_test: true, $survey_response_score: 9 },
        person: { set: {} },
      },
    ])
    expect(JSON.stringify(events())).not.toContain(key)
  })

  test('refuses a flood from one network, and counts what it refuses', async () => {
    const { ask, send, events, refusals } = await aHostedSurvey(false)
    const { limit } = answerRateLimit
    const first = await ask('/s/survey-1')
    const statuses: number[] = []
    for (let n = 0; n < limit + 20; n++)
      statuses.push((await send(first.text, { 'answer.score': '9' })).status)
    expect(statuses).toEqual(Array.from({ length: limit + 20 }, (_, n) => (n < limit ? 200 : 429)))
    expect(events()).toHaveLength(limit)
    expect(refusals).toHaveLength(20)
    expect(refusals[0]).toEqual({
      dialect: 'site',
      reason: 'survey-answers',
      named: 'Too many requests from your network. Wait a few minutes.',
      projectId: 1,
    })
  })
})

test.each<[string, (answers: SurveyAnswers) => string | undefined, boolean]>([
  ['none', () => undefined, false],
  ['the one of another survey', (answers) => answers.proofOfPage({ id: 'survey-2' }), false],
  ['a changed one', (answers) => answers.proofOfPage({ id: 'survey-1' }).replace(/^\d/, '9'), false],
  ['its own', (answers) => answers.proofOfPage({ id: 'survey-1' }), true],
])(
  'the endpoint takes answers to a page that anyone may open with its proof: %s',
  async (_, proof, taken) => {
    const answers = testSurveyAnswers([testSurvey({ placement: { kind: 'hosted' } })])
    const input = { event: 'shown', proof: writeAccessProof({ page: proof(answers) }) }
    expect(await answers.take(1, 'survey-1', input, { address: '203.0.113.7' })).toMatchObject({ taken })
  },
)

test('a page has the logo and the name of the site, and leads there', async () => {
  const survey = testSurvey({ placement: { kind: 'hosted' } })
  const site = {
    ...siteSettings.parse({ name: 'Garden <Club>', logo: '/_tilth/images/logo.webp' }),
    projectId: 1,
    origin: 'https://garden.example',
    timeZone: 'UTC',
    writeKey: 'key-1',
  }
  const serve = (shown: Site) =>
    servePages({
      site: shown,
      surveyAnswers: testSurveyAnswers([survey]),
      surveyWithId: () => ({ survey, project: testProject(1, 'key-1') }),
    })
  const { text } = await (await serve(site)).ask('/s/survey-1')
  expect(text).toContain(
    '<a href="https://garden.example"><img src="/_tilth/images/logo.webp" alt="Garden &#60;Club&#62;"',
  )
  const unbranded = await (await serve({ ...site, logo: '' })).ask('/s/survey-1')
  expect(unbranded.text).toContain('<a href="https://garden.example">Garden &#60;Club&#62;</a>')
})

test('a flood to one survey leaves the others open to its network', async () => {
  const senders: string[] = []
  const surveys = [testSurvey(), testSurvey({ id: 'survey-2' })]
  const answers = testSurveyAnswers(surveys, {
    mayAnswer: (sender) => senders.push(sender) > 0 && !sender.startsWith('survey-1'),
  })
  const take = (id: string) => answers.take(1, id, { event: 'shown' }, { address: '203.0.113.7' })
  expect(await take('survey-1')).toMatchObject({ taken: false, reason: 'too-often' })
  expect(await take('survey-2')).toMatchObject({ taken: true })
  expect(senders).toEqual(['survey-1 203.0.113.0/24', 'survey-2 203.0.113.0/24'])
})

describe('a page by personal links', () => {
  test('is not shown without one', async () => {
    const { ask } = await aHostedSurvey(true)
    expect(await ask('/s/survey-1')).toMatchObject({ status: 403 })
    expect((await ask('/s/survey-1?link=unknown')).text).toContain('This link is not one of this survey.')
  })

  test('takes one answer for its person; opening it takes none', async () => {
    const { ask, send, events, product, project } = await aHostedSurvey(true)
    const recipients = [{ distinctId: 'ana' }]
    const made = await product.surveys.links.create(project.id, 'survey-1', { recipients }, viewer)
    const { pathname, search } = new URL(present(requireDone(made).links[0]).address)
    const first = await ask(pathname + search)
    expect((await ask(pathname + search)).status).toBe(200)
    expect(events()).toEqual([])

    const second = await send(first.text, { 'answer.score': '9' })
    const end = await send(second.text, { 'answer.why': 'Fast' })
    expect(end.status).toBe(200)
    expect(events()).toMatchObject([
      { name: 'survey shown', distinctId: 'ana' },
      { name: 'survey sent', distinctId: 'ana', properties: { $survey_completed: true } },
    ])
    expect(await send(second.text, { 'answer.why': 'Faster' })).toMatchObject({ status: 410 })
    expect((await ask(pathname + search)).text).toContain('This link was used already')
    expect(events()).toHaveLength(2)
  })
})

describe('what a form carries', () => {
  test('counts only as it was signed: a changed state begins the survey from its start', async () => {
    const { ask, send, events } = await aHostedSurvey(false)
    const page = (await ask('/s/survey-1')).text
    const [text = '', signature = ''] = stateIn(page).split('.')
    const state = JSON.parse(Buffer.from(text, 'base64url').toString())
    const forged = Buffer.from(JSON.stringify({ ...state, at: 1, path: [0] })).toString('base64url')
    const answer = await send(page, { state: `${forged}.${signature}`, 'answer.why': 'Skipped' })
    expect(answer.text).toContain('How likely?')
    expect(events()).toEqual([])
  })

  test('answers are checked when they are taken: a required question cannot be skipped', async () => {
    const { product, project } = await aHostedSurvey(false)
    const page = product.surveys.answers.proofOfPage({ id: 'survey-1' })
    const input = { answers: { why: 'Skipped' }, proof: writeAccessProof({ page }) }
    const sender = { address: '203.0.113.7' }
    expect(await product.surveys.answers.take(project.id, 'survey-1', input, sender)).toMatchObject({
      taken: false,
      problems: { score: expect.any(String) },
    })
  })
})
