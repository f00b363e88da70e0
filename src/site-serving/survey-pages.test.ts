import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { watchBody } from '#http/body'
import { usualLimits } from '#http/limits'
import { readTrustedRequest } from '#http/trusted-request'
import { operator } from '#projects/access'
import { answerRateLimit } from '#surveys/answers/survey-answers'
import type { Survey } from '#surveys/survey'
import { openTestProduct, present, requireDone } from '#test/fixture'
import { testSurvey, testSurveyAnswers } from '#test/surveys/test-survey-answers'
import { recordingWireServices, testProject } from '#test/wire/trackers-fixture'
import { realWorld } from '#world/world'
import { answerSurveyPage, type SurveyPageDependencies } from './survey-pages'

type Served = Pick<SurveyPageDependencies, 'surveyAnswers' | 'surveyWithId'>

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
  return { ask, events: () => services.events(), refusals: services.refusals }
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

async function aHostedSurvey(needsLink: boolean) {
  const { product, aProject } = await openTestProduct()
  const project = await aProject()
  const hostedPage = { isOpen: true, needsLink }
  const input = { id: 'survey-1', name: 'Score', content, placement: { kind: 'hosted' }, hostedPage }
  requireDone(await product.surveys.create(project.id, input, viewer))
  const { survey } = requireDone(await product.surveys.launch(project.id, 'survey-1', {}, viewer))
  const pages = await servePages({
    surveyAnswers: product.surveyAnswers,
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
    const { ask, send, events } = await aHostedSurvey(false)
    const trap = { website: 'https://spam.example' }
    const first = await ask('/s/survey-1')
    const second = await send(first.text, { 'answer.score': '9', ...trap })
    const end = await send(second.text, { 'answer.why': '', ...trap })
    expect(end.text).toContain('Thank you.')
    expect(events()).toEqual([])
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

describe('a page by personal links', () => {
  test('is not shown without one', async () => {
    const { ask } = await aHostedSurvey(true)
    expect(await ask('/s/survey-1')).toMatchObject({ status: 403 })
    expect((await ask('/s/survey-1?link=unknown')).text).toContain('This link is not one of this survey.')
  })

  test('takes one answer for its person; opening it takes none', async () => {
    const { ask, send, events, product, project } = await aHostedSurvey(true)
    const recipients = [{ distinctId: 'ana' }]
    const made = await product.surveyLinks.create(project.id, 'survey-1', { recipients }, viewer)
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
  test('counts only as it was signed: a changed state begins the survey anew', async () => {
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
    const input = { answers: { why: 'Skipped' } }
    const sender = { address: '203.0.113.7' }
    expect(await product.surveyAnswers.take(project.id, 'survey-1', input, sender)).toMatchObject({
      taken: false,
      problems: { score: expect.any(String) },
    })
  })
})
