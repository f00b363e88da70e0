import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { ratingResults } from '#surveys/kinds/rating/answers'
import type { SurveyResultsPage } from '#surveys/results/results-page'
import { aFolder, openTestProduct } from '#test/product/fixture'
import { commandLine } from './command-line'
import { questionRows, totalRows } from './survey-results'

const root = resolve(import.meta.dirname, '../../..')

afterEach(() => {
  process.exitCode = undefined
})

async function says(...args: string[]) {
  const out: string[] = []
  const err: string[] = []
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean(out.push(String(text)))),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean(err.push(String(text)))),
  ]
  try {
    await commandLine({ root, programs: join(root, 'dist') }, '0.0.0').parseAsync(['survey', ...args], {
      from: 'user',
    })
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
  return { out: out.join(''), err: err.join(''), code: process.exitCode }
}

test('a survey is made from a file, launched, stopped and exported', async () => {
  const { folder, aProject } = await openTestProduct()
  await aProject({ name: 'Acme' })
  vi.stubEnv('TILTH_DATA', folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  const file = join(aFolder(), 'why.json')
  const id = 'why-do-you-ask'
  writeFileSync(
    file,
    JSON.stringify({ id, name: 'Why?', content: { questions: [{ kind: 'open', text: 'Why?' }] } }),
  )

  expect(await says('create', 'acme', file)).toMatchObject({ out: `“Why?” is made: ${id}\n`, err: '' })
  expect((await says('list', 'acme')).out).toMatch(/why-do-you-ask {2}draft {3}popover {4}1 {10}Why\?\n$/)
  expect((await says('launch', 'acme', id)).out).toBe('“Why?” is launched.\n')
  expect((await says('stop', 'acme', id)).out).toBe('“Why?” is stopped.\n')
  expect((await says('show', 'acme', id)).out).toBe('Why? (ended, version 1)\n1. Why? (open)\n')

  const exported = await says('export', 'acme', id)
  writeFileSync(file, exported.out)
  expect(JSON.parse((await says('create', 'acme', file, '--json')).out)).toMatchObject({
    name: 'Why?',
    content: JSON.parse(exported.out).content,
  })
  expect(await says('show', 'acme', 'unknown')).toMatchObject({
    code: 1,
    err: 'There is no such survey in this project. See: tilth survey list <project>\n',
  })
})

test('a survey is made from a template, changed, resumed, duplicated, archived and restored', async () => {
  const { folder, aProject } = await openTestProduct()
  await aProject({ name: 'Acme' })
  vi.stubEnv('TILTH_DATA', folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  expect((await says('templates', 'acme')).out).toMatch(/^ID +QUESTIONS +NAME +DESCRIPTION\nnps +3 +/)
  expect(JSON.parse((await says('templates', 'acme', '--json')).out)).toContainEqual(
    expect.objectContaining({ id: 'csat' }),
  )

  const made = await says('create', 'acme', '--template', 'nps', '--name', 'Score of May')
  const [, id = ''] = /^“Score of May” is made: (\S+)\n$/.exec(made.out) ?? []
  const file = join(aFolder(), 'change.json')
  writeFileSync(file, JSON.stringify({ name: 'Score of June', responseLimit: 5 }))
  expect((await says('change', 'acme', id, file)).out).toBe('“Score of June” is changed (version 1).\n')
  expect(JSON.parse((await says('export', 'acme', id)).out)).toMatchObject({
    name: 'Score of June',
    responseLimit: 5,
    content: { questions: [{ kind: 'rating' }, {}, {}] },
  })

  await says('launch', 'acme', id)
  await says('stop', 'acme', id)
  expect((await says('resume', 'acme', id)).out).toBe('“Score of June” takes answers again.\n')
  expect((await says('duplicate', 'acme', id)).out).toMatch(/^“Score of June \(copy\)” is made: \S+\n$/)
  expect((await says('archive', 'acme', id)).out).toBe('“Score of June” is archived.\n')
  expect((await says('list', 'acme')).out).toMatch(new RegExp(`${id} +archived`))
  expect((await says('restore', 'acme', id)).out).toBe('“Score of June” is restored.\n')
  expect(JSON.parse((await says('show', 'acme', id, '--json')).out)).not.toHaveProperty('archivedAt')

  expect((await says('resume', 'acme', id)).err).toBe('The survey has not ended.\n')
  expect((await says('create', 'acme', '--template', 'gone')).err).toMatch(
    /^There is no template “gone”\. Templates: nps, csat, /,
  )
  expect((await says('create', 'acme')).err).toBe('Name a file, or a template with --template.\n')
})

const answered = { value: 0.5, low: 0.3, high: 0.7 }
const results: SurveyResultsPage = {
  shown: 40,
  reached: 20,
  answered: 10,
  completedBy: 10,
  submissions: { started: 11, responded: 10, completed: 10, dismissed: 1, abandoned: 0 },
  dismissedUnanswered: 3,
  responseRate: answered,
  completionRate: undefined,
  questions: [
    {
      id: 'score',
      kind: 'rating',
      text: 'Would you recommend us?',
      version: 1,
      answered: 10,
      stopped: 0,
      rating: ratingResults(
        { least: 0, most: 10 },
        new Map([
          [9, 5],
          [3, 5],
        ]),
      ),
    },
    {
      id: 'plan',
      kind: 'single-choice',
      text: 'Which plan?',
      version: 1,
      answered: 4,
      stopped: 0,
      choices: [{ id: 'team', text: 'Team', count: 2, share: answered }],
    },
    {
      id: 'rows',
      kind: 'matrix',
      text: 'How good is each?',
      version: 1,
      answered: 2,
      stopped: 0,
      matrix: { rows: [{ id: 'app', text: 'App' }], columns: [{ id: 'good', text: 'Good' }], counts: [[2]] },
    },
    { id: 'why', kind: 'open', text: 'Why?', version: 1, answered: 3, stopped: 0 },
  ],
}

test('results are rows of a table: the whole survey, then each question with its score and answers', () => {
  expect(totalRows(results)).toEqual([
    ['Shown', '40'],
    ['Persons', '20'],
    ['Responses', '10'],
    ['Response rate', '50.0 % (30.0 to 70.0)'],
    ['Completed', '10'],
    ['Completion rate', '–'],
    ['Dismissed', '4'],
    ['Abandoned', '0'],
  ])
  const rows = questionRows(results)
  expect(rows[0]).toEqual([
    'Would you recommend us?',
    expect.stringMatching(/^NPS 0 \(−?\d+ to \d+\)$/),
    '10',
    '',
  ])
  expect(rows.slice(1, 12).map(([, value, count]) => `${value}: ${count}`)).toEqual(
    [0, 0, 0, 5, 0, 0, 0, 0, 0, 5, 0].map((count, value) => `${value}: ${count}`),
  )
  expect(rows.slice(12)).toEqual([
    ['Which plan?', '', '4', ''],
    ['', 'Team', '2', '50.0 % (30.0 to 70.0)'],
    ['How good is each?', '', '2', ''],
    ['', 'App: Good', '2', ''],
    ['Why?', '', '3', ''],
  ])
})

test('responses are exported, and results counted, by the Tilth that runs; without one, the command says so', async () => {
  const { folder, aProject } = await openTestProduct()
  await aProject({ name: 'Acme' })
  vi.stubEnv('TILTH_DATA', folder)
  vi.stubEnv('PORT', '9') // a port without a server
  onTestFinished(() => void vi.unstubAllEnvs())

  for (const command of [
    ['export', 'acme', 'why-do-you-ask', '--responses'],
    ['results', 'acme', 'why-do-you-ask'],
  ])
    expect(await says(...command)).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(/^No Tilth answers at http:\/\/localhost:9:/),
    })
})
