import { usualBounceRule } from '#insights/bounce-rule'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Sql } from '#engine/sql'
import { render } from '#engine/sql'
import { temporaryEngine, type TemporaryEngine } from '#engine/internal/temporary'
import { readQuery } from '#insights/ask'
import type { QueryScope } from '#insights/scope'
import { barest } from './barest-statements'
import { fillWith } from './many-events'
import { type Finding, megabytes, ms, quantile, report } from './report'

const events = numberAfter('--events', 10_000_000)
const rounds = numberAfter('--rounds', 7)
/** In the middle of a day, so that what is compared is compared with part of another. */
const now = new Date('2026-03-31T12:00:00Z')

function numberAfter(word: string, usual: number): number {
  const place = process.argv.indexOf(word)
  return place < 0 ? usual : Number(process.argv[place + 1])
}

const month = { period: '30d' }
const compared = { ...month, compare: 'previous' }
const panelsOfVisits = ['channel', 'country', 'browser', 'entry']

/** The queries of the web page at first: the figures, and then the panels of visits together and each other one. */
const pageFigures = [{ kind: 'totals', ...compared }]
const pagePanels = [
  {
    kind: 'breakdown',
    ...compared,
    dimensions: ['channel', 'country', 'browser'],
    totals: false,
    limit: 100,
  },
  { kind: 'breakdown', ...compared, dimensions: ['page'], totals: false, details: true },
  { kind: 'breakdown', ...compared, dimensions: ['event'], totals: false },
  { kind: 'vitals', ...month },
]

const views = { event: '$pageview' }
const trendOf = (more: object) => ({ kind: 'trend', ...month, series: [views], ...more })
const steps = [views, { event: 'signed up' }, { event: 'purchased' }]

/** As templates fill one: figures, courses, shares, a funnel, and who comes back. */
const dashboard = [
  { kind: 'totals', ...compared },
  trendOf({}),
  trendOf({ series: [{ ...views, measure: { math: 'persons' } }] }),
  trendOf({ series: [{ event: 'signed up' }], compare: 'previous' }),
  trendOf({ breakdowns: [{ type: 'event', key: 'plan' }] }),
  trendOf({ breakdowns: [{ type: 'event', key: '$browser' }], chart: 'pie' }),
  { kind: 'breakdown', ...month, dimensions: ['page'], totals: false },
  { kind: 'breakdown', ...month, dimensions: ['channel', 'country'] },
  { kind: 'funnel', ...month, steps },
  { kind: 'retention', period: '8w', interval: 'week', target: views, returning: views },
  { kind: 'lifecycle', ...month },
  { kind: 'stickiness', ...month },
]

const notCompared = (queries: readonly object[]): object[] =>
  queries.map((query) => ({ ...query, compare: undefined }))

interface MeasuredPart {
  what: string
  target?: string
  queries: readonly object[]
  /** Asked when those are answered. */
  afterwards?: readonly object[]
  /** The least that a hand would write for it. */
  barest: readonly Sql[]
}

const panels: MeasuredPart[] = Object.entries(barest.panels).map(([name, statements]) => ({
  what: `web: the panel "${name}"`,
  queries: [{ kind: 'breakdown', ...month, dimensions: [name], totals: false }],
  barest: statements,
}))

const asked: readonly MeasuredPart[] = [
  {
    what: 'web: figures and their course, which come first',
    target: '250 ms',
    queries: [{ kind: 'totals', ...month }],
    barest: barest.figures,
  },
  {
    what: 'the same, compared with the 30 days before',
    queries: [{ kind: 'totals', ...compared }],
    barest: barest.comparedFigures,
  },
  ...panels,
  {
    what: 'web: figures and four panels of visits at once',
    queries: [{ kind: 'breakdown', ...month, dimensions: panelsOfVisits }],
    barest: barest.firstPanels,
  },
  {
    what: 'web: the whole page, not compared',
    target: '700 ms',
    queries: notCompared(pageFigures),
    afterwards: notCompared(pagePanels),
    barest: barest.page,
  },
  {
    what: 'web: the whole page, compared',
    target: '1100 ms',
    queries: pageFigures,
    afterwards: pagePanels,
    barest: barest.comparedPage,
  },
  {
    what: 'trend of daily users',
    queries: [trendOf({ series: [{ ...views, measure: { math: 'persons' } }] })],
    barest: barest.dailyUsers,
  },
  {
    what: 'trend, with a breakdown',
    target: '200 ms',
    queries: [trendOf({ breakdowns: [{ type: 'event', key: 'plan' }] })],
    barest: barest.trendByPlan,
  },
  {
    what: 'funnel of three steps',
    target: '200 ms',
    queries: [{ kind: 'funnel', ...month, steps }],
    barest: barest.funnel,
  },
  {
    what: 'retention of 12 weeks',
    target: '200 ms',
    queries: [{ kind: 'retention', period: '12w', interval: 'week', target: views, returning: views }],
    barest: barest.retention,
  },
  { what: 'paths', target: '800 ms', queries: [{ kind: 'paths', ...month }], barest: barest.paths },
  { what: 'a dashboard of 12 insights', target: '1200 ms', queries: dashboard, barest: barest.dashboard },
]

type Run = QueryScope['run']

const scopeOf = (run: Run): QueryScope => ({
  projectId: 1,
  calendar: { timeZone: 'UTC', weekStart: 'monday', now },
  currency: 'EUR',
  hasMerged: false,
  cohort: () => undefined,
  testAccounts: undefined,
  bounceRule: usualBounceRule,
  pageGroups: [],
  isFirstDay: async () => false,
  firstEventAt: async () => undefined,
  run,
})

async function answerAll({ queries, afterwards = [] }: MeasuredPart, run: Run): Promise<number> {
  const began = performance.now()
  await Promise.all(queries.map(async (query) => await answerOne(query, run)))
  await Promise.all(afterwards.map(async (query) => await answerOne(query, run)))
  return performance.now() - began
}

async function answerOne(query: object, run: Run): Promise<void> {
  const read = readQuery(query)
  const outcome = read.done ? await read.ready.answer(scopeOf(run)) : read
  if (!outcome.done) throw new Error(`${JSON.stringify(query)}: ${outcome.problems[0]?.message}`)
}

interface Measured {
  first: number
  warm: number
  /** The time that is left when the engine answers at once: Tilth's own part. */
  added: number
  statements: number
  /** The time of the barest statements, all at once as well. */
  barest: number
}

/** The second time, the engine's words are remembered, so that all that takes time is ours. */
async function measure(wanted: MeasuredPart, { engine }: TemporaryEngine): Promise<Measured> {
  const rowsByQuery = new Map<string, unknown[]>()
  const ask: Run = async <Row>(statement: Sql): Promise<Row[]> => {
    const rows = await engine.query<Row>(statement, { lane: 'dashboard' })
    rowsByQuery.set(textOf(statement), rows)
    return rows
  }
  // the same statement, and so the same rows
  const remember: Run = async <Row>(statement: Sql) => (rowsByQuery.get(textOf(statement)) ?? []) as Row[]
  const first = await answerAll(wanted, ask)
  const times: number[] = []
  const floors: number[] = []
  for (let round = 0; round < rounds; round++) {
    times.push(await answerAll(wanted, ask))
    floors.push(await runAll(wanted.barest, engine))
  }
  const own: number[] = []
  for (let round = 0; round < rounds; round++) own.push(await answerAll(wanted, remember))
  return {
    first,
    warm: quantile(times, 0.5),
    added: quantile(own, 0.5),
    statements: rowsByQuery.size,
    barest: quantile(floors, 0.5),
  }
}

async function runAll(statements: readonly Sql[], engine: TemporaryEngine['engine']): Promise<number> {
  const began = performance.now()
  await Promise.all(statements.map((statement) => engine.query(statement, { lane: 'dashboard' })))
  return performance.now() - began
}

/** Whole numbers are bound as such, which JSON cannot say. */
const textOf = (statement: Sql): string =>
  JSON.stringify(render(statement), (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )

const findingOf = (
  { what, target, barest: { length } }: MeasuredPart,
  { first, warm, added, statements, barest: floor }: Measured,
): Finding => ({
  what,
  measured: `${ms(warm)} warm, ${ms(first)} at first${target ? `; hoped for: ${target}` : ''}; ${statements} statement${statements === 1 ? '' : 's'}, ${ms(added)} ours`,
  beside: `barest by hand, ${length} statement${length === 1 ? '' : 's'}: ${ms(floor)}, **ratio ${(warm / floor).toFixed(2)}**`,
})

/** Of the engine's process, as the system counts it. */
function residentBytes({ settings }: TemporaryEngine): number {
  const [, pid = ''] =
    /PID: (\d+)/.exec(readFileSync(path.join(settings.folder, 'data', 'status'), 'utf8')) ?? []
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

const temporary = await temporaryEngine({ memoryBytes: 4 * 1024 ** 3 })
try {
  await temporary.engine.ready()
  process.stdout.write(`Making ${events.toLocaleString('en')} events …\n`)
  await fillWith(temporary.engine, events, now)
  const findings: Finding[] = []
  for (const each of asked) {
    const finding = findingOf(each, await measure(each, temporary))
    process.stdout.write(`${finding.what}: ${finding.measured}\n`)
    findings.push(finding)
  }
  findings.push({ what: 'memory of the engine afterwards', measured: megabytes(residentBytes(temporary)) })
  report('insights', 'Answering questions', findings, [
    `${events.toLocaleString('en')} events of 90 days, four of five of them of the project that is asked about; questions about 30 days unless they say otherwise; the middle one of ${rounds} rounds.`,
    'The barest statements by hand are those of `bench/barest-statements.ts`: no merged persons, filters, exact order or comparison of part of a day. In each round they ran after ours.',
    '“At first” is the first time in the life of the engine; the files were written a moment before.',
  ])
} finally {
  await temporary.remove()
}
