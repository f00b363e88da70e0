import type { CardInput } from './dashboard'

/** A template for a new dashboard. */
interface DashboardTemplate {
  label: string
  about: string
  cards: readonly CardInput[]
}

const pageview = { event: '$pageview' }
const anything = { event: null }

const queryCard = (
  title: string,
  query: { kind: string; [more: string]: unknown },
  place: CardInput['place'],
): CardInput => ({ place, content: { type: 'question', title, question: query } })

const textCard = (text: string, place: CardInput['place']): CardInput => ({
  place,
  content: { type: 'text', text },
})

const breakdownCard = (title: string, dimension: string, place: CardInput['place']): CardInput =>
  queryCard(
    title,
    { kind: 'breakdown', dimensions: [dimension], limit: 8, compare: 'previous-weekday' },
    place,
  )

const numberCard = (title: string, series: object, place: CardInput['place']): CardInput =>
  queryCard(title, { kind: 'trend', series: [series], chart: 'number', compare: 'previous-weekday' }, place)

const website: DashboardTemplate = {
  label: 'Website',
  about: 'Visitors, sources, pages and devices.',
  cards: [
    queryCard('Overview', { kind: 'totals', compare: 'previous-weekday' }, { x: 0, y: 0, w: 12, h: 9 }),
    breakdownCard('Pages', 'page', { x: 0, y: 9, w: 6, h: 6 }),
    breakdownCard('Sources', 'source', { x: 6, y: 9, w: 6, h: 6 }),
    breakdownCard('Channels', 'channel', { x: 0, y: 15, w: 4, h: 6 }),
    breakdownCard('Countries', 'country', { x: 4, y: 15, w: 4, h: 6 }),
    breakdownCard('Devices', 'device', { x: 8, y: 15, w: 4, h: 6 }),
    queryCard(
      'Visits by hour',
      {
        kind: 'trend',
        series: [{ ...pageview, measure: { math: 'total' } }],
        chart: 'calendar',
        interval: 'hour',
      },
      { x: 0, y: 21, w: 12, h: 4 },
    ),
  ],
}

const product: DashboardTemplate = {
  label: 'Product',
  about: 'Active persons, lifecycle, retention and paths.',
  cards: [
    numberCard(
      'Active today',
      { ...anything, measure: { math: 'daily_actives' } },
      { x: 0, y: 0, w: 4, h: 3 },
    ),
    numberCard(
      'Active this week',
      { ...anything, measure: { math: 'weekly_actives' } },
      { x: 4, y: 0, w: 4, h: 3 },
    ),
    numberCard(
      'Active this month',
      { ...anything, measure: { math: 'monthly_actives' } },
      { x: 8, y: 0, w: 4, h: 3 },
    ),
    queryCard(
      'Active persons',
      {
        kind: 'trend',
        series: [{ ...anything, measure: { math: 'persons' } }],
        chart: 'area',
        compare: 'previous-weekday',
      },
      { x: 0, y: 3, w: 6, h: 5 },
    ),
    queryCard('Lifecycle', { kind: 'lifecycle', happening: anything }, { x: 6, y: 3, w: 6, h: 5 }),
    queryCard(
      'Weekly retention',
      { kind: 'retention', target: anything, interval: 'week', period: '8w' },
      { x: 0, y: 8, w: 12, h: 10 },
    ),
    queryCard(
      'Top events',
      {
        kind: 'trend',
        series: [{ ...anything, measure: { math: 'total' } }],
        breakdowns: [{ type: 'event', key: '$event' }],
        chart: 'table',
      },
      { x: 0, y: 18, w: 6, h: 6 },
    ),
    queryCard('Stickiness', { kind: 'stickiness' }, { x: 6, y: 18, w: 6, h: 6 }),
  ],
}

const saas: DashboardTemplate = {
  label: 'SaaS growth',
  about: 'Visits, sign-ups, revenue and retention.',
  cards: [
    textCard('## Growth\nThe steps use common event names. Edit a card to use your own.', {
      x: 0,
      y: 0,
      w: 12,
      h: 2,
    }),
    numberCard('Visitors', { ...pageview, measure: { math: 'persons' } }, { x: 0, y: 2, w: 4, h: 3 }),
    numberCard('Sign-ups', { event: 'signup', measure: { math: 'persons' } }, { x: 4, y: 2, w: 4, h: 3 }),
    numberCard(
      'Revenue',
      {
        event: null,
        measure: { math: 'sum', property: { type: 'event', key: '$revenue' } },
        label: 'Revenue',
      },
      { x: 8, y: 2, w: 4, h: 3 },
    ),
    queryCard(
      'Visit to sign-up',
      { kind: 'funnel', steps: [pageview, { event: 'signup' }] },
      { x: 0, y: 5, w: 6, h: 5 },
    ),
    queryCard(
      'Sign-ups over time',
      {
        kind: 'trend',
        series: [{ event: 'signup', measure: { math: 'persons' } }],
        compare: 'previous-weekday',
        chart: 'area',
      },
      { x: 6, y: 5, w: 6, h: 5 },
    ),
    queryCard(
      'Retention of sign-ups',
      { kind: 'retention', target: { event: 'signup' }, returning: anything, interval: 'week', period: '8w' },
      { x: 0, y: 10, w: 12, h: 10 },
    ),
    breakdownCard('Sources', 'channel', { x: 0, y: 20, w: 6, h: 6 }),
    breakdownCard('Campaigns', 'utm_campaign', { x: 6, y: 20, w: 6, h: 6 }),
  ],
}

export const templates = { website, product, saas } as const satisfies Record<string, DashboardTemplate>
export type DashboardTemplateName = keyof typeof templates

export const isTemplateName = (name: unknown): name is DashboardTemplateName =>
  typeof name === 'string' && Object.hasOwn(templates, name)
