import { usualBounceRule } from '#insights/bounce-rule'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import type { Approximation } from '#insights/approximation'
import type { AnswerByKind, KindName } from '#insights/answered-query'
import { readQuery } from '#insights/ask'
import { type ChartSettings, annotationsOn } from '#insights/chart-settings'
import { builtKinds, labelsFor } from '../kinds'
import { InsightChart } from './InsightChart'

const settings: ChartSettings = {
  timeZone: 'Europe/Berlin',
  currency: 'EUR',
  weekStart: 'monday',
  bounceRule: usualBounceRule,
}
const table = { columns: [{ name: 'Name', as: 'text' as const }], rows: [['=1+1']] }

/** The chart of a query, and where its numbers lead. */
async function drawn(query: object, answer: object, approximate?: Approximation) {
  const read = readQuery(query)
  if (!read.done) throw new Error(JSON.stringify(read.problems))
  return renderToStaticMarkup(
    await InsightChart({
      // as much of an answer as its chart reads
      answered: {
        question: read.ready.query,
        answer: answer as AnswerByKind[KindName],
        table,
        ...(approximate && { approximate }),
      },
      settings,
      drill: (point) => `/behind?${JSON.stringify(point)}`,
    }),
  )
}

const leadsTo = (markup: string, point: object) =>
  expect(markup).toContain(JSON.stringify(point).replaceAll('"', '&quot;'))

// two days, as midnight in Berlin
const days = {
  starts: ['2026-11-19T23:00:00.000Z', '2026-11-20T23:00:00.000Z'],
  end: '2026-11-21T23:00:00.000Z',
}

const line = (more: object = {}) => ({
  key: '[0]',
  series: 0,
  label: 'Signups',
  breakdown: [],
  as: 'number',
  values: [3, 4],
  total: 7,
  ...more,
})
const trend = (lines: object[]) => ({ interval: 'day', ...days, lastIsIncomplete: true, lines })
const asked = { kind: 'trend', series: [{ event: 'signup' }] }

describe('a trend', () => {
  test.each(['line', 'area', 'stacked', 'bar', 'number', 'pie', 'table'])(
    'as %s leads to who is behind it',
    async (chart) => {
      const markup = await drawn({ ...asked, chart }, trend([line()]))
      expect(markup).toContain('Signups')
      const isWhole = ['number', 'pie', 'table'].includes(chart)
      leadsTo(markup, isWhole ? { series: 0 } : { series: 0, bucket: 1 })
    },
  )

  test.each(['line', 'area', 'stacked', 'bar', 'number', 'pie', 'table', 'map', 'calendar'])(
    'as %s shows the margin of numbers that have one, and only of those',
    async (chart) => {
      const lines = (more: object) => trend([line({ breakdown: ['DE'], ...more })])
      expect(await drawn({ ...asked, chart }, lines({ within: 0.005 }))).toContain('±0.5 %')
      expect(await drawn({ ...asked, chart }, lines({}))).not.toContain('±')
    },
  )

  test('tells its days by the clock of the project', async () => {
    expect(await drawn(asked, trend([line()]))).toContain('Fri, 20 Nov 2026')
  })

  test('says which value of a breakdown is meant, and that the others are the others', async () => {
    const others = line({ key: '[0,"others"]', label: 'Others', isOthers: true })
    const markup = await drawn({ ...asked, chart: 'table' }, trend([line({ breakdown: ['pro'] }), others]))
    leadsTo(markup, { series: 0, breakdown: ['pro'] })
    leadsTo(markup, { series: 0, isOthers: true })
  })

  test('has no one behind its formulas', async () => {
    const formula = line({
      series: 'formula 1',
      label: 'Rate',
      as: 'percent',
      values: [0.5, 0.25],
      total: 0.375,
    })
    const markup = await drawn({ ...asked, chart: 'table' }, trend([formula]))
    expect(markup).toContain('37.5%')
    expect(markup).not.toContain('/behind?')
  })

  test('writes sums in the money of the project', async () => {
    expect(
      await drawn({ ...asked, chart: 'number' }, trend([line({ as: 'money', total: 1234.5 })])),
    ).toContain('€1.23k')
  })

  test('of nothing says what to try', async () => {
    const nothing = line({ values: [0, null], total: 0 })
    expect(await drawn(asked, trend([nothing]))).toContain('No data in this period')
  })

  test('as a calendar goes by the day, and by the hour of the week where it is asked by the hour', async () => {
    const week = Array.from({ length: 168 }, (_, hour) => hour)
    expect(await drawn({ ...asked, chart: 'calendar' }, trend([line({ week })]))).toContain('20 Nov 2026')
    const hourly = { ...trend([line({ week })]), interval: 'hour' }
    expect(await drawn({ ...asked, chart: 'calendar', interval: 'hour' }, hourly)).toContain('Sun')
  })
})

const step = (label: string, persons: number) => ({
  label,
  optional: false,
  persons,
  fromFirst: persons / 10,
  fromPrevious: persons / 10,
  medianSeconds: 61,
  averageSeconds: 70,
})
const funnel = { kind: 'funnel', steps: [{ event: 'visit' }, { event: 'signup' }] }

describe('a funnel', () => {
  test('leads to those who went on, and to those who did not', async () => {
    const markup = await drawn(funnel, { steps: [step('visit', 10), step('signup', 4)] })
    leadsTo(markup, { step: 1, outcome: 'converted' })
    leadsTo(markup, { step: 1, outcome: 'dropped' })
    expect(markup).toContain('1m 01s')
  })

  test('says first which share of those who entered it completed it, and how that changed', async () => {
    const steps = [step('visit', 10), step('signup', 4)]
    const compared = { steps: [step('visit', 10), step('signup', 2)] }
    const markup = await drawn({ ...funnel, compare: 'previous' }, { steps, compared })
    expect(markup).toContain('overall conversion: 4 of 10 people')
    expect(markup).toContain('>40%<')
    expect(markup).toContain('+100%')
  })

  test('has a bar for each value of a breakdown', async () => {
    const breakdowns = [
      { value: 'pro', keys: ['=pro'], steps: [step('visit', 6), step('signup', 3)] },
      { value: null, isOthers: true, keys: ['=pro'], steps: [step('visit', 4), step('signup', 1)] },
    ]
    const markup = await drawn(funnel, { steps: [step('visit', 10), step('signup', 4)], breakdowns })
    leadsTo(markup, { step: 1, outcome: 'converted', values: { among: true, keys: ['=pro'] } })
    leadsTo(markup, { step: 1, outcome: 'converted', values: { among: false, keys: ['=pro'] } })
  })

  test('that no one entered says what to try', async () => {
    expect(await drawn(funnel, { steps: [step('visit', 0), step('signup', 0)] })).toContain(
      'No one entered this funnel',
    )
  })
})

test('retention leads to those of a cohort who came back', async () => {
  const answer = {
    interval: 'day',
    ...days,
    complete: [2, 1],
    series: [
      {
        breakdown: [],
        sizes: [5, 4],
        counts: [[5, 2], [4]],
        rates: [[1, 0.4], [1]],
        mean: [1, 0.4],
      },
    ],
  }
  const markup = await drawn({ kind: 'retention', target: { event: 'visit' } }, answer)
  leadsTo(markup, { series: 0, cohort: 0, interval: 1 })
  expect(markup).toContain('40%')
})

test('a lifecycle leads to those of a state', async () => {
  const [none, some] = [
    [0, 0],
    [1, 2],
  ]
  const answer = {
    interval: 'day',
    ...days,
    complete: 1,
    active: some,
    new: some,
    returning: none,
    resurrecting: none,
    dormant: none,
  }
  leadsTo(await drawn({ kind: 'lifecycle' }, answer), { bucket: 1, state: 'new' })
})

test('stickiness leads to those of so many days', async () => {
  const answer = {
    interval: 'day',
    every: 1,
    cumulative: false,
    labels: ['Visit'],
    ...days,
    counts: [[3, 1]],
    totals: [4],
  }
  leadsTo(await drawn({ kind: 'stickiness' }, answer), { series: 0, n: 2 })
})

test('paths lead to those who went one way, and to those who left', async () => {
  const answer = {
    steps: 2,
    sessions: 5,
    nodes: [
      { id: '1:/', step: 1, name: '/', sessions: 5, begin: 5, beyond: 0 },
      { id: '2:/a', step: 2, name: '/a', sessions: 3, begin: 0, beyond: 3 },
    ],
    links: [{ from: '1:/', to: '2:/a', sessions: 3, medianSeconds: 10 }],
    dropOffs: [{ node: '1:/', sessions: 2 }],
  }
  const markup = await drawn({ kind: 'paths' }, answer)
  leadsTo(markup, { link: { from: '1:/', to: '2:/a' } })
  leadsTo(markup, { dropOff: '1:/' })
})

test('rows of web analytics and its figures lead to their visitors', async () => {
  const row = { value: 'DE', visitors: 3 }
  const panels = [{ dimension: 'country', label: 'Country', rows: [row], valuesInAll: 1 }]
  const rows = await drawn({ kind: 'breakdown', dimensions: ['country'] }, { panels })
  leadsTo(rows, { dimension: 'country', value: 'DE' })
  const figures = { visitors: 3, visits: 4, views: 5 }
  const answer = {
    ...days,
    interval: 'day',
    period: { until: days.end },
    course: [figures, figures],
    figures,
  }
  const totals = await drawn({ kind: 'totals' }, answer)
  leadsTo(totals, {})
  leadsTo(totals, { bucket: 1 })
})

test('a trait leads to those who have it', async () => {
  const trait = {
    name: 'plan',
    value: 'pro',
    label: 'plan is pro',
    converted: 4,
    dropped: 2,
    oddsRatio: 2,
    interval: { from: 1, to: 3 },
  }
  const answer = { converted: 5, dropped: 5, raising: [trait], lowering: [] }
  const markup = await drawn({ ...funnel, kind: 'correlation' }, answer)
  leadsTo(markup, { name: 'plan', value: 'pro', outcome: 'dropped' })
})

/** Kinds with a chart whose numbers have no persons, with the reason. */
const kindsWithoutPeople: Readonly<Record<string, string>> = {
  sql: 'its rows are whatever a member selects',
}

test.each(builtKinds.map(({ kind }) => kind))('the numbers of %s have people, or a reason', (kind) => {
  const read = readQuery(labelsFor(kind).start?.(null))
  const hasPeople = read.done && read.ready.personsBehind !== undefined
  expect(hasPeople).toBe(!(kind in kindsWithoutPeople))
})

test('a kind without a chart of its own is shown as its rows', async () => {
  expect(await drawn({ kind: 'vitals' }, {})).toContain('=1+1')
})

test.each([
  ['2026-11-19T22:59:59Z', []],
  ['2026-11-19T23:00:00Z', [0]],
  ['2026-11-21T10:00:00Z', [1]],
  ['2026-11-21T23:00:00Z', []],
])('a note at %s stands on %j', (at, places) => {
  const notes = annotationsOn(days.starts, days.end, [{ at, label: 'Release' }])
  expect(notes.map((note) => note.at)).toEqual(places)
})
