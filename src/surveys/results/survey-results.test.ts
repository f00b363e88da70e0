import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { aWorld, present, problemMessages, requireDone } from '#test/product/fixture'
import { anEngine, beginning, type TestEvent, uuidFor } from '#test/product/test-engine'
import { render } from '#engine/sql'
import { type KeyViewer, operator } from '#projects/access'
import { openProduct, type Product } from '#server/product'
import { csvExport, jsonExport } from './export-rows'
import type { SurveyResponse } from './responses'
import type { SurveyResults } from './survey-results'

const testEngine = anEngine()
const period = '2026-03-01..2026-03-31'
const viewer = operator()

const content = {
  questions: [
    {
      id: 'score',
      kind: 'rating',
      text: 'How likely are you to recommend us?',
      display: 'number',
      scale: 10,
    },
    {
      id: 'uses',
      kind: 'multiple-choice',
      text: 'What for?',
      choices: [
        { id: 'work', text: 'Work' },
        { id: 'fun', text: 'Fun' },
      ],
    },
    { id: 'why', kind: 'open', text: 'Why?' },
  ],
  hiddenFields: ['plan', 'seats'],
  translations: { de: { questions: { uses: { choices: ['Arbeit', 'Spaß'] } } } },
}

const sent = (person: string, at: number, properties: Record<string, string>): TestEvent => ({
  person,
  event: 'survey sent',
  at,
  properties: { $survey_id: 'survey-1', ...properties },
})

const partial = (submission: string, properties: Record<string, string>) => ({
  $survey_submission_id: submission,
  $survey_completed: 'false',
  ...properties,
})

const events: TestEvent[] = [
  {
    ...sent('ana', 1, { $survey_response_uses: '["Sailing","Work","Chess"]' }),
    properties: { $survey_id: 'survey-2', $survey_response_uses: '["Sailing","Work","Chess"]' },
  },
  { person: 'ana', event: 'survey shown', at: 0, properties: { $survey_id: 'survey-1' } },
  { person: 'eve', event: 'survey shown', at: 0, properties: { $survey_id: 'survey-1' } },
  sent('ana', 1, partial('one', { $survey_response_score: '9', plan: '=pro', unlisted: 'x' })),
  sent('ana', 2, {
    ...partial('one', { $survey_response_why: '=HYPERLINK("https://bad.example")', $survey_language: 'de' }),
    $survey_response_uses: '["Spaß","Arbeit"]',
    $survey_completed: 'true',
  }),
  sent('ben', 5, partial('two', { $survey_response_score: '3', $survey_response_why: 'slow search' })),
  sent('cleo', 9, {
    $survey_response: '10',
    $survey_response_1: '["Work"]',
    $survey_response_2: 'fast search',
  }),
]

let opened: Promise<SurveyResults> | undefined

/** The survey of the first project, in a real product. */
const stage = (): Promise<SurveyResults> => (opened ??= openStage())
let product: Product | undefined
afterAll(() => product?.close())

async function openStage(): Promise<SurveyResults> {
  const project = await testEngine.addProject(events)
  await testEngine.fill('persons', [
    {
      project_id: project,
      person_id: uuidFor('ana'),
      properties: { name: 'Ana Lima', role: '@owner', $initial_os: 'Linux' },
      is_identified: true,
      created_at: beginning.getTime() / 1000,
      version: 1,
      is_deleted: 0,
    },
  ])
  product = await openProduct({
    store: { folder: mkdtempSync(join(tmpdir(), 'results-')) },
    world: aWorld('results'),
    engine: testEngine.engine(),
  })
  const created = requireDone(await product.projects.create({ name: 'Acme' }, viewer)).project
  expect(created.id).toBe(project)
  requireDone(await product.surveys.create(project, { id: 'survey-1', name: 'NPS', content }, viewer))
  return product.surveys.results
}

async function textOf(parts: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const part of parts) text += part
  return text
}

test('results name choices, estimate scores and find words', async () => {
  const results = await stage()
  const { results: page } = requireDone(
    await results.results(
      1,
      'survey-1',
      { period, interval: 'week', breakdown: { type: 'event', key: '$survey_language' } },
      viewer,
    ),
  )

  expect(page).toMatchObject({ reached: 4, answered: 3, responseRate: { value: 0.75 } })
  const [score, uses, why] = page.questions
  expect(score?.rating?.nps).toMatchObject({ value: expect.closeTo(100 / 3), promoters: 2, detractors: 1 })
  expect(score?.text).toBe('How likely are you to recommend us?')
  expect(uses?.choices?.map(({ text, count }) => [text, count])).toEqual([
    ['Work', 2],
    ['Fun', 1],
  ])
  expect(why?.phrases).toEqual([{ text: 'search', texts: 2 }])
  expect(page.course?.scores['score 1']?.filter((estimate) => estimate !== null)).toEqual([
    score?.rating?.nps,
  ])
  expect(page.breakdown?.values.map(({ value, numbers }) => [value, numbers.submissions.responded])).toEqual([
    [[null], 2],
    [['de'], 1],
  ])
})

test('responses are listed by their last answer, in pages', async () => {
  const results = await stage()
  const first = requireDone(await results.responses(1, 'survey-1', { period, limit: 2 }, viewer))
  const second = requireDone(
    await results.responses(1, 'survey-1', { period, limit: 2, cursor: first.cursor }, viewer),
  )

  expect(first.responses.map(({ id }) => id)).toEqual([expect.stringMatching(/^event:/), 'two'])
  expect(first.responses[0]?.answers.map(({ answer }) => answer)).toEqual([10, ['Work'], 'fast search'])
  expect(second.cursor).toBeUndefined()
  expect(second.responses).toMatchObject([{ id: 'one', state: 'completed', language: 'de' }])
  expect(second.responses[0]?.answers.map(({ question: id, answer }) => [id, answer])).toEqual([
    ['score', 9],
    ['uses', ['Fun', 'Work']],
    ['why', '=HYPERLINK("https://bad.example")'],
  ])
})

test('counts are those of the results, without texts', async () => {
  const results = await stage()
  const { results: counts } = requireDone(await results.counts(1, 'survey-1', { period }, viewer))
  const { results: page } = requireDone(await results.results(1, 'survey-1', { period }, viewer))
  expect(counts.questions.map(({ phrases }) => phrases)).toEqual([undefined, undefined, undefined])
  expect(counts.submissions).toEqual(page.submissions)
  expect(counts.questions[0]).toEqual(page.questions[0])
})

test('a removed submission is in no list and no count, until it is restored', async () => {
  const results = await stage()
  const responded = async () =>
    requireDone(await results.results(1, 'survey-1', { period }, viewer)).results.submissions.responded
  const counted = async () =>
    requireDone(await results.counts(1, 'survey-1', { period }, viewer)).results.submissions.responded
  requireDone(await results.removeResponse(1, 'survey-1', 'one', viewer))

  const { responses } = requireDone(await results.responses(1, 'survey-1', { period }, viewer))
  expect(responses.map(({ id }) => id)).not.toContain('one')
  const removed = requireDone(await results.responses(1, 'survey-1', { period, onlyRemoved: true }, viewer))
  expect(removed.responses.map(({ id }) => id)).toEqual(['one'])
  expect([await responded(), await counted()]).toEqual([2, 2])
  expect(await results.response(1, 'survey-1', 'one', viewer)).toMatchObject({
    response: { id: 'one' },
    isRemoved: true,
  })
  expect(problemMessages(await results.removeResponse(1, 'survey-1', 'one', viewer))).toEqual([
    'The response is removed already.',
  ])

  requireDone(await results.restoreResponse(1, 'survey-1', 'one', viewer))
  expect([await responded(), await counted()]).toEqual([3, 3])
  const none = requireDone(await results.responses(1, 'survey-1', { period, onlyRemoved: true }, viewer))
  expect(none.responses).toEqual([])
  expect(await results.response(1, 'survey-1', 'one', viewer)).toMatchObject({ isRemoved: false })
})

test('questions about answers leave out removed submissions, as alerts and dashboards ask them', async () => {
  const results = await stage()
  const { insights } = present(product)
  const ask = async (question: object) =>
    requireDone(await insights.ask(1, { period, ...question }, viewer, { isFresh: true })).answer
  const sentEvents = { kind: 'trend', interval: 'month', series: [{ event: 'survey sent' }] }
  const nps = { math: 'nps', property: { type: 'event', key: '$survey_response_score' } }
  const scores = { ...sentEvents, series: [{ event: 'survey sent', measure: nps }] }
  const before = [await ask(sentEvents), await ask(scores)]
  const { responses } = requireDone(await results.responses(1, 'survey-1', { period }, viewer))
  const old = present(responses.find(({ id }) => id.startsWith('event:')))
  for (const id of ['one', old.id]) requireDone(await results.removeResponse(1, 'survey-1', id, viewer))

  // one of this survey and one of another
  expect(await ask(sentEvents)).toMatchObject({ lines: [{ values: [2] }] })
  expect(await ask(scores)).toMatchObject({ lines: [{ values: [-100] }] })

  for (const id of ['one', old.id]) requireDone(await results.restoreResponse(1, 'survey-1', id, viewer))
  expect([await ask(sentEvents), await ask(scores)]).toEqual(before)
})

test.each([
  // a condition on answers                                   the states and numbers of those who fulfil it
  [{ question: 'score', values: [9, 10] }, { responded: 2, completed: 2 }, [10, 9]],
  [{ question: 'score', values: [0, 1, 2, 3] }, { responded: 1, completed: 0 }, [3]],
  [{ question: 'uses', values: ['fun'] }, { responded: 1, completed: 1 }, [9]],
  [{ question: 'uses', values: ['fun', 'work'] }, { responded: 2, completed: 2 }, [10, 9]],
  [{ question: 'why', containing: 'Search' }, { responded: 2, completed: 1 }, [10, 3]],
  [{ question: 'why', containing: 'sea' }, { responded: 0, completed: 0 }, []],
  [{ question: 'why', isAnswered: true }, { responded: 3, completed: 2 }, [10, 3, 9]],
  [{ question: 'uses', isAnswered: true }, { responded: 2, completed: 2 }, [10, 9]],
  [{ question: 'gone', values: [1] }, { responded: 0, completed: 0 }, []],
  [{ question: 'gone', isAnswered: true }, { responded: 0, completed: 0 }, []],
])('%j narrows counts, lists and exports', async (condition, submissions, scores) => {
  const results = await stage()
  const input = { period, answers: [condition] }
  const counts = requireDone(await results.counts(1, 'survey-1', input, viewer)).results
  expect(counts).toMatchObject({ submissions, shown: 0, answered: submissions.responded })
  const scoreOf = ({ answers }: SurveyResponse) => answers.find(({ question: id }) => id === 'score')?.answer
  const { responses } = requireDone(await results.responses(1, 'survey-1', input, viewer))
  expect(responses.map(scoreOf)).toEqual(scores)
  const { portions } = requireDone(await results.export(1, 'survey-1', input, viewer))
  const exported: SurveyResponse[] = []
  for await (const portion of portions) exported.push(...portion)
  expect(exported.map(scoreOf)).toEqual(scores)
})

test('texts are listed with their responses, the latest first', async () => {
  const results = await stage()
  const { phrases, latest } = requireDone(await results.texts(1, 'survey-1', 'why', { period }, viewer))
  expect(phrases).toEqual([{ text: 'search', texts: 2 }])
  expect(latest.map(({ response, text }) => [response, text])).toEqual([
    [expect.stringMatching(/^event:/), 'fast search'],
    ['two', 'slow search'],
    ['one', '=HYPERLINK("https://bad.example")'],
  ])
  expect(latest[1]?.answeredAt).toBe('2026-03-02T10:05:00.000Z')
  expect(latest.map(({ personName, rating }) => [personName, rating])).toEqual([
    ['cleo', 10],
    ['ben', 3],
    ['Ana Lima', 9],
  ])
  const ofPromoters = { period, answers: [{ question: 'score', values: [9, 10] }] }
  const narrowed = requireDone(await results.texts(1, 'survey-1', 'why', ofPromoters, viewer))
  expect(narrowed.latest.map(({ response }) => response)).not.toContain('two')
})

test.each([
  // the search                 the responses in which it is found
  ['SEARCH', ['two', 'event:']],
  ['w sea', ['two']],
  ['spaß', ['one']],
  ['nowhere', []],
])('a search for "%s" narrows counts, texts and lists', async (search, ids) => {
  const results = await stage()
  const input = { period, search }
  const { responses } = requireDone(await results.responses(1, 'survey-1', input, viewer))
  const named = responses.map(({ id }) => id.replace(/^event:.*/, 'event:'))
  expect(named.toSorted()).toEqual(ids.toSorted())
  const counted = requireDone(await results.counts(1, 'survey-1', input, viewer)).results
  expect(counted.submissions.responded).toBe(ids.length)
  const { latest } = requireDone(await results.texts(1, 'survey-1', 'why', input, viewer))
  expect(latest).toHaveLength(ids.length)
})

test('tags of responses are listed, exported and narrow the results', async () => {
  const results = await stage()
  const tag = (id: string, tags: unknown) => results.tagResponse(1, 'survey-1', id, { tags }, viewer)
  requireDone(await tag('one', ['praise', 'export ', 'praise']))
  requireDone(await tag('two', ['=bug']))
  expect(await results.tags(1, 'survey-1', viewer)).toEqual(['=bug', 'export', 'praise'])
  const input = { period, tag: 'praise' }
  const { responses } = requireDone(await results.responses(1, 'survey-1', input, viewer))
  expect(responses).toMatchObject([{ id: 'one', tags: ['export', 'praise'] }])
  const counted = requireDone(await results.counts(1, 'survey-1', input, viewer)).results
  expect(counted.submissions.responded).toBe(1)
  const { latest } = requireDone(await results.texts(1, 'survey-1', 'why', { period, tag: 'none' }, viewer))
  expect(latest).toEqual([])
  const csv = requireDone(await results.export(1, 'survey-1', { period }, viewer))
  const text = await textOf(csvExport(csv.portions, csv))
  expect(text).toContain('"export; praise"')
  expect(text).toContain(",'=bug,")

  expect(problemMessages(await tag('one', ['x'.repeat(51)]))).toEqual(['A tag has at most 50 characters.'])
  for (const id of ['one', 'two']) requireDone(await tag(id, []))
  expect(await results.tags(1, 'survey-1', viewer)).toEqual([])
})

test('typed answers to a question with choices are listed without its choices', async () => {
  const results = await stage()
  const { surveys } = present(product)
  const other = { questions: [{ ...content.questions[1], hasOther: true }] }
  requireDone(await surveys.create(1, { id: 'survey-2', name: 'Uses', content: other }, viewer))
  const { latest } = requireDone(await results.texts(1, 'survey-2', 'uses', { period }, viewer))
  expect(latest.map(({ text }) => text)).toEqual(['Sailing, Chess'])
})

test('an export has every submission once, and no formula', async () => {
  const results = await stage()
  const csv = requireDone(await results.export(1, 'survey-1', { period }, viewer))
  const lines = (await textOf(csvExport(csv.portions, csv))).split('\r\n')
  expect(lines).toHaveLength(5)
  expect(lines[0]).toContain('How likely are you to recommend us?,What for?,Why?')
  expect(lines.join('\n')).toContain(`"'=HYPERLINK(""https://bad.example"")"`)

  const json = requireDone(await results.export(1, 'survey-1', { period }, viewer))
  const all: unknown = JSON.parse(await textOf(jsonExport(json.portions)))
  expect(all).toHaveLength(3)
})

const surveyKey: KeyViewer = {
  kind: 'key',
  keyId: 'k1',
  name: 'Results',
  projectId: 1,
  scopes: new Set(['project:read', 'surveys:read']),
  origin: viewer.origin,
}

test('hidden fields and the properties of persons are listed and exported, and are no formulas', async () => {
  const results = await stage()
  const { responses } = requireDone(await results.responses(1, 'survey-1', { period }, viewer))
  const ofAna = responses.find(({ id }) => id === 'one')
  expect(ofAna).toMatchObject({
    fields: { plan: '=pro' },
    personName: 'Ana Lima',
    personProperties: { name: 'Ana Lima', role: '@owner' },
  })
  expect(responses.map(({ fields }) => fields)).toContainEqual({})

  const csv = requireDone(await results.export(1, 'survey-1', { period }, viewer))
  const [head, ...lines] = (await textOf(csvExport(csv.portions, csv))).trim().split('\r\n')
  expect(head?.endsWith('Why?,tags,field: plan,field: seats,person: name,person: role')).toBe(true)
  expect(lines.find((line) => line.startsWith('one,'))).toMatch(/,,'=pro,,Ana Lima,'@owner$/)

  const json = requireDone(await results.export(1, 'survey-1', { period }, viewer))
  expect(JSON.parse(await textOf(jsonExport(json.portions)))).toContainEqual(
    expect.objectContaining({ id: 'one', fields: { plan: '=pro' } }),
  )
})

test('a key that may not see persons gets responses and exports without their properties', async () => {
  const results = await stage()
  const { responses } = requireDone(await results.responses(1, 'survey-1', { period }, surveyKey))
  expect(responses).toHaveLength(3)
  expect(responses.map(({ personName, personProperties }) => [personName, personProperties])).toEqual(
    responses.map(() => [undefined, undefined]),
  )
  const csv = requireDone(await results.export(1, 'survey-1', { period }, surveyKey))
  const text = await textOf(csvExport(csv.portions, csv))
  expect(text).toContain('field: plan')
  expect(text).not.toContain('Ana Lima')
})

test('the other responses of a person are those of that person alone', async () => {
  const results = await stage()
  const { responses } = requireDone(await results.responsesOfPerson(1, 'survey-1', uuidFor('ben'), viewer))
  expect(responses.map(({ id }) => id)).toEqual(['two'])
})

test('unknown surveys, responses and cursors are refused', async () => {
  const results = await stage()
  expect(problemMessages(await results.results(1, 'gone', {}, viewer))).toEqual([
    'There is no such survey in this project.',
  ])
  expect(problemMessages(await results.response(1, 'survey-1', 'gone', viewer))).toEqual([
    'There is no such response to this survey.',
  ])
  expect(problemMessages(await results.responses(1, 'survey-1', { cursor: 'x' }, viewer))).toEqual([
    'Give the cursor that the page before ended with.',
  ])
})

test('the figures of a list come from one statement, and leave out what was removed from each survey', async () => {
  const results = await stage()
  const { surveys } = present(product)
  const ids = ['survey-1', 'survey-3']
  requireDone(await surveys.create(1, { id: 'survey-3', name: 'Later', content }, viewer))
  for (const id of ids) requireDone(await surveys.launch(1, id, {}, viewer))
  requireDone(await results.removeResponse(1, 'survey-1', 'two', viewer))
  const query = vi.spyOn(testEngine.engine(), 'query')
  const figures = await results.figures(1, viewer)
  const statements = query.mock.calls.map(([statement]) => render(statement).text)
  expect(statements.filter((text) => text.includes('as figure'))).toHaveLength(1)
  expect(ids.map((id) => figures.get(id)?.responses)).toEqual([2, 0])
})
