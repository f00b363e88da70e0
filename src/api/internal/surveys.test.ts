import { expect, test } from 'vitest'
import { z } from 'zod'
import { anApiProgram } from '#test/product/api-program'
import { problemMessages, requireDone } from '#test/product/fixture'
import { operator } from '#projects/access'
import { PosthogSurveyLists } from '#surveys/posthog/survey-lists'

const refusal = z.object({ error: z.object({ message: z.string() }) })

const input = { name: 'Why?', content: { questions: [{ id: 'why', kind: 'open', text: 'Why?' }] } }

async function anApi() {
  const held = ['project:read', 'surveys:read', 'surveys:write']
  const { ask, product, world, id: ownId } = await anApiProgram({ held })
  const project = { id: ownId }
  /** The body, or the messages of what keeps it from being done. */
  const call = async (wanted: string, id = '', sent?: unknown, version = '') => {
    const [method = '', address = ''] = wanted.split(' ')
    const path = address.replace('{survey}', id).replace('{version}', version)
    const { status, body } = await ask(method, path, sent)
    return status < 300 ? body : [refusal.parse(body).error.message]
  }
  const posthogLists = new PosthogSurveyLists({
    surveysOf: (projectId) => product.surveys.published.surveysOf(projectId),
    statusOf: (survey) => product.surveys.statusOf(survey),
    targetingFlagOf: () => undefined,
    now: () => world.now(),
  })
  const listForPosthog = (): unknown => JSON.parse(posthogLists.listOf(project.id).json)
  return { call, product, project, world, listForPosthog }
}

test('a survey goes through its life over the API, and no answer has the hash of its PIN', async () => {
  const { call, product, project, world } = await anApi()
  const made = await call('POST /surveys', '', { ...input, hostedPage: { pin: '4711' } })
  expect(made).toMatchObject({ name: 'Why?', version: 1, revision: 1, hostedPage: { hasPin: true } })
  expect(JSON.stringify(made)).not.toContain('pinHash')
  const [survey] = await product.surveys.list(project.id, operator())
  const id = survey?.id ?? ''

  expect(await call('PATCH /surveys/{survey}', id, { name: 'How?', revision: 1 })).toMatchObject({
    revision: 2,
    hostedPage: { hasPin: true },
  })
  expect(await call('PATCH /surveys/{survey}', id, { name: 'Who?', revision: 1 })).toEqual([
    expect.stringMatching(/^“How\?” was changed by Script at/),
  ])
  expect(await call('POST /surveys/{survey}/launch', id, {})).toMatchObject({ startsAt: expect.any(String) })
  const questions = [...input.content.questions, { id: 'who', kind: 'open', text: 'Who?' }]
  expect(await call('PATCH /surveys/{survey}', id, { content: { questions } })).toMatchObject({ version: 2 })
  expect(await call('GET /surveys/{survey}/versions', id)).toMatchObject({
    versions: [{ version: 2 }, { version: 1 }],
  })
  expect(await call('GET /surveys/{survey}/versions/{version}', id, undefined, '1')).toMatchObject({
    content: { questions: [{ id: 'why' }] },
  })
  expect(await call('DELETE /surveys/{survey}', id)).toEqual([expect.stringMatching(/Archive it instead/)])
  for (const step of ['stop', 'resume', 'archive', 'restore', 'duplicate']) {
    world.advance('1 minute')
    expect(await call(`POST /surveys/{survey}/${step}`, id)).toMatchObject({ name: expect.any(String) })
  }
  expect(await call('GET /surveys')).toMatchObject({ surveys: [{ id }, { name: 'How? (copy)', version: 1 }] })
  expect(await call('GET /surveys/{survey}', 'unknown')).toEqual(['There is no such survey in this project.'])
})

test('every template makes a survey that can be launched', async () => {
  const { product, project } = await anApi()
  for (const template of product.surveys.templates(project.id, operator())) {
    const { survey } = requireDone(await product.surveys.create(project.id, template.input, operator()))
    requireDone(await product.surveys.launch(project.id, survey.id, {}, operator()))
  }
})

const posthogSurvey = {
  name: 'Recommendation',
  description: 'For the board',
  type: 'popover',
  questions: [
    { id: 'nps', type: 'rating', question: 'Would you recommend us?', display: 'number', scale: 10 },
    { id: 'why', type: 'open', question: 'Why?' },
  ],
  appearance: { backgroundColor: '#fff', zIndex: '999', thankYouMessageHeader: 'Thanks!' },
  conditions: { url: '/pricing', urlMatchType: 'icontains' },
  schedule: 'once',
  responses_limit: 2,
  start_date: '2026-01-01T00:00:00Z',
  archived: false,
}

test('a survey in PostHog’s form is imported, shown by posthog-js, and no input of ours', async () => {
  const { call, product, project, listForPosthog } = await anApi()
  const refused = [expect.stringContaining('This is a survey in PostHog’s form.')]
  expect(await call('POST /surveys', '', posthogSurvey)).toEqual(refused)
  expect(await product.surveys.list(project.id, operator())).toEqual([])

  const { survey, notKept } = requireDone(
    await product.surveys.importFrom(project.id, posthogSurvey, '98c3635f-theirs', operator()),
  )
  expect(notKept).toEqual([expect.stringContaining('zIndex')])
  const made = await call('GET /surveys/{survey}', survey.id)
  expect(made).toMatchObject({
    id: '98c3635f-theirs',
    status: 'draft',
    content: {
      questions: [
        { id: 'nps', kind: 'rating' },
        { id: 'why', kind: 'open' },
      ],
    },
    targeting: { url: { match: 'contains', value: '/pricing' } },
    responseLimit: 2,
  })
  expect(await call('PATCH /surveys/{survey}', survey.id, { questions: [], archived: true })).toEqual(refused)
  expect(await call('GET /surveys/{survey}', survey.id)).toEqual(made)
  const carousel = { ...posthogSurvey, type: 'carousel' }
  expect(
    problemMessages(await product.surveys.importFrom(project.id, carousel, '98c3635f-other', operator())),
  ).toEqual(['PostHog has no surveys of the type “carousel”.'])

  requireDone(await product.surveys.launch(project.id, survey.id, {}, operator()))
  expect(listForPosthog()).toMatchObject({
    surveys: [{ id: '98c3635f-theirs', type: 'popover', questions: [{ id: 'nps' }, { id: 'why' }] }],
  })
})
