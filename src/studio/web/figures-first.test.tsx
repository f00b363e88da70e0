import { renderToReadableStream } from 'react-dom/server'
import { expect, test } from 'vitest'
import { readQuery } from '#insights/ask'
import type { QueryScope } from '#insights/scope'
import { render, type Sql } from '#engine/sql'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import { WebAnswers } from './WebPage'
import type { WebContext } from './web-queries'
import { defaults, type WebQuery } from './web-query'

const testEngine = anEngine()

const seen = (person: string, country: string): TestEvent => ({
  person,
  event: '$pageview',
  at: '2026-03-20T10:00:00Z',
  session: person,
  columns: { country, path: '/pricing', channel: 'Direct', browser: 'Firefox' },
})

/** The engine that answers at once, and all statements that it was given. */
async function aScope(): Promise<{ scope: QueryScope; statements: string[] }> {
  const project = await testEngine.addProject([seen('ana', 'PT'), seen('ben', 'PT'), seen('eve', 'FI')])
  const statements: string[] = []
  const run = async <Row,>(statement: Sql): Promise<Row[]> => {
    statements.push(render(statement).text)
    return await testEngine.engine().query<Row>(statement)
  }
  return { scope: testEngine.scope(project, {}, { run }), statements }
}

/** Puts a product in its place that answers from this scope, and the same query once. */
function offerAnswers(scope: QueryScope) {
  const answers = new Map<string, ReturnType<typeof answer>>()
  const answer = async (query: unknown) => {
    const read = readQuery(query)
    if (!read.done) return read
    const outcome = await read.ready.answer(scope)
    const state = { at: scope.calendar.now, tookMs: 1, waitingEvents: 0, isBehind: false, rowsRead: 0 }
    return outcome.done ? { ...outcome, ...state, question: read.ready.query } : outcome
  }
  const ask = async (_project: number, query: unknown) => {
    const key = JSON.stringify(query)
    const asked = answers.get(key) ?? answer(query)
    answers.set(key, asked)
    return await asked
  }
  const insights = { ask, answersOf: () => undefined }
  const imports = { dailySums: async () => undefined }
  Object.assign(globalThis, { [Symbol.for('tilth.product')]: { insights, imports } })
}

/** The page of these tabs. */
function aPage(scope: QueryScope, chosen: Partial<WebQuery> = {}) {
  offerAnswers(scope)
  const { timeZone } = scope.calendar
  const web = {
    project: { id: scope.projectId, slug: 'acme', timeZone },
    question: { ...defaults, ...chosen },
    goals: [],
    pageGroups: [],
    notes: [],
    chartSettings: { timeZone, currency: 'EUR', weekStart: 'monday', bounceRule: scope.bounceRule },
  }
  // the parts that are rendered here read nothing else of it
  return renderToReadableStream(<WebAnswers web={web as unknown as WebContext} />)
}

const never = /(?!)/

/** Reads until the page says this, or to its end. */
async function readUntil(reader: ReadableStreamDefaultReader<string>, words = never): Promise<string> {
  let html = ''
  while (!words.test(html)) {
    const { value, done } = await reader.read()
    if (done) break
    html += value
  }
  return html
}

const readerOf = async (page: ReturnType<typeof aPage>) =>
  (await page).pipeThrough(new TextDecoderStream()).getReader()

/** A statement for rows, of visits or of events. */
const isOfPanels = /session_country_id|select value, visitors/

test('the figures are sent while the panels are not answered', async () => {
  const { scope } = await aScope()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const held: QueryScope['run'] = async (statement) => {
    if (isOfPanels.test(render(statement).text)) await released
    return await scope.run(statement)
  }
  const reader = await readerOf(aPage({ ...scope, run: held }))
  const first = await readUntil(reader, /Bounce rate/)
  expect(first).toMatch(/Visitors/)
  expect(first).not.toMatch(/\/pricing/)
  release()
  expect(await readUntil(reader)).toMatch(/\/pricing/)
})

test('no panel is asked about before the figures are answered', async () => {
  const { scope } = await aScope()
  const steps: string[] = []
  const noting: QueryScope['run'] = async <Row,>(statement: Sql) => {
    const isPanel = isOfPanels.test(render(statement).text)
    if (isPanel) steps.push('panel asked')
    const rows = await scope.run<Row>(statement)
    if (/ as bucket[^]+ as visitor,/.test(render(statement).text)) steps.push('figures answered')
    return rows
  }
  await readUntil(await readerOf(aPage({ ...scope, run: noting })))
  expect(steps.indexOf('panel asked')).toBeGreaterThan(steps.lastIndexOf('figures answered'))
  expect(steps).toContain('figures answered')
})

/** The statements of a page that read events, by the part of the page that they are for. */
async function scansOf(chosen: Partial<WebQuery>) {
  const { scope, statements } = await aScope()
  await readUntil(await readerOf(aPage(scope, chosen)))
  const scans = statements.filter((text) => text.includes('from events'))
  const countOf = (part: RegExp) => scans.filter((text) => part.test(text)).length
  return { all: scans.length, ofVisits: countOf(/ as visitor,/), ofTab: countOf(/session_os_id/) }
}

test.each([
  // the page as it is opened                          statements
  [{ compare: undefined }, { all: 9, ofVisits: 3, ofTab: 0 }],
  [{ compare: 'previous' }, { all: 15, ofVisits: 6, ofTab: 0 }],
  // another tab reads the visits once more for each period, and the hidden ones of its panel not at all
  [
    { compare: undefined, tabs: { devices: 'os' } },
    { all: 10, ofVisits: 4, ofTab: 1 },
  ],
  [
    { compare: 'previous', tabs: { devices: 'os' } },
    { all: 17, ofVisits: 8, ofTab: 2 },
  ],
] as const)('the page of %j reads events so often: %j', async (chosen, scans) => {
  expect(await scansOf(chosen)).toEqual(scans)
})
