import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { watchBody } from '#http/body'
import { readTrustedRequest } from '#http/trusted-request'
import type { Survey } from '#surveys/survey'
import { testSurvey, testSurveyAnswers } from '#test/surveys/test-survey-answers'
import { recordingWireServices, testProject } from '#test/wire/trackers-fixture'
import { realWorld } from '#world/world'
import { answerSurveyPage } from './survey-pages'

/** Sends a request to the page of a survey that is closed. */
async function askClosedPage(placement: Survey['placement'], options: RequestInit): Promise<number> {
  const hostedPage = { isOpen: false, needsLink: true, pinHash: undefined, mayBeEmbedded: false }
  const survey = testSurvey({ placement, hostedPage })
  const context = { world: realWorld, rulesOf: () => ({ optOut: 'cookieless' as const }) }
  const intake = Object.assign(recordingWireServices(), { context })
  const server = createServer((request, response) => {
    const trustedRequest = readTrustedRequest(request, { trusted: { by: 'nobody' }, addresses: () => [] })
    const body = watchBody(request, response, { mostBytes: 300_000, idleMs: 5000 }, () => response.destroy())
    if (body)
      void answerSurveyPage({ request, response, trustedRequest }, body, {
        surveyAnswers: testSurveyAnswers([survey]),
        intake,
        mayTryPin: () => true,
        surveyWithId: () => ({ survey, project: testProject(1, 'key-1') }),
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // a server that listens on a port has an address of this form
  const { port } = server.address() as AddressInfo
  return (await fetch(`http://127.0.0.1:${port}/s/survey-1`, options)).status
}

const form = { method: 'POST', body: new URLSearchParams({ begin: '' }) }

test('the form of a survey in a post is taken, though the page of the survey is closed', async () =>
  expect(await askClosedPage({ kind: 'inline' }, form)).toBe(200))

test('a closed page is not shown', async () => expect(await askClosedPage({ kind: 'inline' }, {})).toBe(404))

test('a survey that has only its closed page takes no form', async () =>
  expect(await askClosedPage({ kind: 'hosted' }, form)).toBe(404))
