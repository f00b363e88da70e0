import { beforeAll, describe, expect, test } from 'vitest'
import { anEngine, type TestEvent, uuidFor } from '#test/product/test-engine'
import vectors from '#test/vectors/security-inputs.json' with { type: 'json' }
import { render, type Sql, sql, string } from '#engine/sql'
import { operator } from '#projects/access'
import { readQuery } from './ask'
import { csvOf } from './csv'
import type { AnswerTable } from './kind'
import { NameSuggestions } from './text/name-suggestions'
import { groupPageOf } from './people/internal/groups'
import { listPersons } from './people/person-list'
import type { QueryScope } from './scope'

const testEngine = anEngine()

/** Texts that attackers send in the hope that somewhere they are more than text. */
const hostile: readonly string[] = [
  ...vectors.html_text.payloads,
  ...vectors.csv_formula.cases.map(([cell = '']) => cell),
  ...vectors.path_traversal,
  ...vectors.chdb_escape_probes.probes,
  `'; drop table events; --`,
  `\\'; select 1; --`,
  `') or 1=1 or ('' = '`,
  '{p0:String}',
  '{{from}}',
  '"quoted", ""twice""',
  '`backtick`',
  '%s%n%_like_\\_%',
  '\nnew line\r\nanother',
  '\u202egnp.exe',
  '@SUM(1+1)*cmd|" /C calc"!A0',
  '👩‍💻 ẞtraße',
]

const told = (text: string, i: number): TestEvent => ({
  person: `person ${i}`,
  distinctId: text,
  event: text,
  at: i,
  session: `s${i}`,
  columns: { path: text, browser: text },
  groups: { company: text },
  properties: { said: text, [text]: 'as a key' },
})

let scope: QueryScope
const asked: { text: string; parameters: string }[] = []

beforeAll(async () => {
  const project = await testEngine.addProject(hostile.map(told))
  const known = { project_id: project, created_at: '2026-01-01 00:00:00.000', version: 1 }
  await testEngine.fill(
    'persons',
    hostile.map((text, i) => ({
      ...known,
      person_id: uuidFor(`person ${i}`),
      properties: { name: text, motto: text },
      is_identified: 1,
      is_deleted: 0,
    })),
  )
  await testEngine.fill(
    'groups',
    hostile.map((text) => ({ ...known, type: 'company', key: text, properties: { name: text } })),
  )
  const everybody = (id: string): Sql | undefined =>
    hostile.includes(id)
      ? sql`select person_id from persons where properties['motto'] = ${string(id)}`
      : undefined
  const run = <Row>(statement: Sql): Promise<Row[]> => {
    const { text, parameters } = render(statement)
    asked.push({ text, parameters: JSON.stringify(Object.values(parameters).map(String)) })
    return testEngine.engine().query<Row>(statement)
  }
  scope = testEngine.scope(project, { now: new Date('2026-03-03T12:00:00Z') }, { run, cohort: everybody })
})

async function ask(query: object): Promise<{ answer: unknown; table: AnswerTable }> {
  const read = readQuery({ period: '2026-03-02..2026-03-03', ...query })
  const outcome = read.done ? await read.ready.answer(scope) : read
  if (!outcome.done) throw new Error(outcome.problems.map(({ message }) => message).join(' '))
  return outcome
}

/** Every text in an answer, wherever it stands. */
function textsIn(part: unknown): string[] {
  if (typeof part === 'string') return [part]
  return typeof part === 'object' && part !== null ? Object.values(part).flatMap(textsIn) : []
}

const series = [{ event: null }]
const days = { kind: 'trend', interval: 'day', limit: 100, series }
const steps = [{ event: null }, { event: null }]

describe.each<[string, object]>([
  ['names of events', { ...days, breakdowns: [{ type: 'event', key: '$event' }] }],
  ['values of properties', { ...days, breakdowns: [{ type: 'event', key: 'said' }] }],
  ['values of columns', { ...days, breakdowns: [{ type: 'event', key: '$browser' }] }],
  ['properties of persons', { ...days, breakdowns: [{ type: 'person', key: 'motto' }] }],
  ['keys of groups', { ...days, breakdowns: [{ type: 'group', group: 'company', key: '$group_key' }] }],
  ['properties of groups', { ...days, breakdowns: [{ type: 'group', group: 'company', key: 'name' }] }],
  ['properties of sessions', { ...days, breakdowns: [{ type: 'session', key: '$session_browser' }] }],
  [
    'several at once',
    {
      ...days,
      breakdowns: [
        { type: 'event', key: 'said' },
        { type: 'person', key: 'motto' },
      ],
    },
  ],
  ['values in a funnel', { kind: 'funnel', steps, limit: 100, breakdown: { type: 'event', key: 'said' } }],
  [
    'values in retention',
    { kind: 'retention', target: series[0], limit: 100, breakdown: { type: 'event', key: 'said' } },
  ],
  ['rows of events', { kind: 'breakdown', dimensions: ['event'], limit: 100 }],
  ['paths of events', { kind: 'paths', of: 'events', per: 'session', top: 50 }],
  ['rows of browsers', { kind: 'breakdown', dimensions: ['browser'], limit: 100 }],
])('as %s', (_, query) => {
  test('they come back as they were sent, through JSON too', async () => {
    const { answer } = await ask(query)
    const texts = new Set(textsIn(JSON.parse(JSON.stringify(answer))))
    expect(hostile.filter((text) => !texts.has(text))).toEqual([])
  })

  test('a file has them as cells that no spreadsheet runs', async () => {
    const { table } = await ask(query)
    const cells = cellsOf(csvOf(table))
    for (const cell of cells) expect(cell).not.toMatch(/^\s*[=+@\t\r\n]|^\s*-(?![\d.]+$)/)
    const texts = textsIn(table).filter((text) => hostile.includes(text))
    expect(table.rows).not.toEqual([])
    expect(texts.map(harmless).filter((text) => !cells.includes(text))).toEqual([])
  })
})

const harmless = (text: string): string => (/^ *[=+\-@\t\r\n]/.test(text) ? `'${text}` : text)

/** Splits a file into cells as RFC 4180 does. */
function cellsOf(csv: string): string[] {
  const cells = csv.replace('\uFEFF', '').matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(?:,|\r\n)/g)
  return [...cells].map(([, cell = '']) =>
    cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
  )
}

const exactly = (text: string, condition: object) => ({ operator: 'exact', value: text, ...condition })

/** A query about one of them, of which there is one event. */
const naming: [what: string, query: (text: string) => object][] = [
  ['an event', (event) => ({ ...days, series: [{ event }] })],
  ['a label', (label) => ({ ...days, series: [{ event: label, label }] })],
  ['a value', (text) => ({ ...days, filter: exactly(text, { type: 'event', key: 'said' }) })],
  ['a property', (key) => ({ ...days, filter: { type: 'event', key, operator: 'is_set' } })],
  [
    'a part of a value',
    (value) => ({ ...days, filter: { type: 'event', key: 'said', operator: 'icontains', value } }),
  ],
  ['a person’s property', (text) => ({ ...days, filter: exactly(text, { type: 'person', key: 'motto' }) })],
  [
    'a group',
    (text) => ({ ...days, filter: exactly(text, { type: 'group', group: 'company', key: '$group_key' }) }),
  ],
  [
    'a group’s property',
    (text) => ({ ...days, filter: exactly(text, { type: 'group', group: 'company', key: 'name' }) }),
  ],
  [
    'a session’s property',
    (text) => ({ ...days, filter: exactly(text, { type: 'session', key: '$session_browser' }) }),
  ],
  ['a cohort', (cohort) => ({ ...days, filter: { type: 'cohort', cohort, operator: 'in' } })],
]

test.each(naming)('each of them is %s like any other, and never a part of a statement', async (_, query) => {
  asked.length = 0
  const totals = await Promise.all(
    hostile.map(async (text) => {
      const { answer } = await ask(query(text))
      return textsIn(answer).length > 0 ? totalOf(answer) : 0
    }),
  )
  expect(hostile.filter((text, i) => totals[i] !== expectedOf(text, query(text)))).toEqual([])
  expect(asked).not.toEqual([])
  for (const text of hostile) expectOnlyBound(text)
})

/** Parts of a text may be parts of others as well. */
function expectedOf(text: string, query: object): number {
  const isPart = JSON.stringify(query).includes('icontains')
  return hostile.filter((other) =>
    isPart ? folded(other).includes(folded(text)) : folded(other) === folded(text),
  ).length
}

const folded = (text: string): string => text.toLowerCase().toUpperCase()

function totalOf(answer: unknown): unknown {
  // as the kind says
  const { lines } = answer as { lines: { total: number | null }[] }
  return lines[0]?.total
}

/** Expects the text in no statement but as a bound value. Texts of up to four letters might be in any statement. */
function expectOnlyBound(text: string) {
  if (text.length < 5) return
  for (const statement of asked) expect(statement.text).not.toContain(text)
  const bound = JSON.stringify(text).slice(1, -1)
  expect(
    asked.some(
      ({ parameters }) =>
        parameters.includes(bound) || parameters.includes(JSON.stringify(folded(text)).slice(1, -1)),
    ),
  ).toBe(true)
}

const viewer = operator()
const everybody = { period: '30d', search: '', sort: 'last', descending: true, page: 1 } as const
const names = () => new NameSuggestions({ scope: async () => scope }, { list: async () => [] })
const everyType = ['event', 'person', 'group']

test.each<[string, () => Promise<unknown>]>([
  ['names of events', () => names().events(1, viewer)],
  ['names of properties', () => names().properties(1, { of: everyType }, viewer)],
  ['values of properties', () => names().values(1, { type: 'event', key: 'said' }, viewer)],
  ['persons', () => listPersons(everybody, scope, undefined, 100)],
  ['groups', () => groupPageOf({ type: 'company', search: '', page: 1 }, scope, 100)],
])('in lists of %s they are as they were sent', async (_, list) => {
  const texts = new Set(textsIn(await list()))
  expect(hostile.filter((text) => !texts.has(text))).toEqual([])
})

test('a cohort that is not there is named in the sentence as it was', async () => {
  const filter = { type: 'cohort', cohort: '<b>gone</b>', operator: 'in' }
  await expect(ask({ ...days, filter })).rejects.toThrow('There is no cohort "<b>gone</b>" in this project.')
})
