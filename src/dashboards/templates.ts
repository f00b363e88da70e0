import type { GivenCard } from './dashboard'

/** A dashboard to begin with. */
export interface Template {
  label: string
  about: string
  cards: readonly GivenCard[]
}

const pageview = { event: '$pageview' }
const anything = { event: null }

const asks = (
  title: string,
  question: { kind: string; [more: string]: unknown },
  place: GivenCard['place'],
): GivenCard => ({ place, content: { type: 'question', title, question } })

const says = (text: string, place: GivenCard['place']): GivenCard => ({
  place,
  content: { type: 'text', text },
})

const rowsOf = (title: string, dimension: string, place: GivenCard['place']): GivenCard =>
  asks(title, { kind: 'breakdown', dimensions: [dimension], limit: 8, compare: 'previous' }, place)

const number = (title: string, series: object, place: GivenCard['place']): GivenCard =>
  asks(title, { kind: 'trend', series: [series], chart: 'number', compare: 'previous' }, place)

const website: Template = {
  label: 'Website',
  about: 'Who comes, from where, to which pages, and on what.',
  cards: [
    asks('Overview', { kind: 'totals', compare: 'previous' }, { x: 0, y: 0, w: 12, h: 9 }),
    rowsOf('Pages', 'page', { x: 0, y: 9, w: 6, h: 6 }),
    rowsOf('Sources', 'source', { x: 6, y: 9, w: 6, h: 6 }),
    rowsOf('Channels', 'channel', { x: 0, y: 15, w: 4, h: 6 }),
    rowsOf('Countries', 'country', { x: 4, y: 15, w: 4, h: 6 }),
    rowsOf('Devices', 'device', { x: 8, y: 15, w: 4, h: 6 }),
    asks(
      'When people come',
      {
        kind: 'trend',
        series: [{ ...pageview, measure: { math: 'total' } }],
        chart: 'calendar',
        interval: 'hour',
      },
      { x: 0, y: 21, w: 12, h: 5 },
    ),
  ],
}

const product: Template = {
  label: 'Product',
  about: 'How many use it, who stays, who comes back, and what they do.',
  cards: [
    number('Active today', { ...anything, measure: { math: 'daily_actives' } }, { x: 0, y: 0, w: 4, h: 3 }),
    number(
      'Active this week',
      { ...anything, measure: { math: 'weekly_actives' } },
      { x: 4, y: 0, w: 4, h: 3 },
    ),
    number(
      'Active this month',
      { ...anything, measure: { math: 'monthly_actives' } },
      { x: 8, y: 0, w: 4, h: 3 },
    ),
    asks(
      'Active persons',
      {
        kind: 'trend',
        series: [{ ...anything, measure: { math: 'persons' } }],
        chart: 'area',
        compare: 'previous',
      },
      { x: 0, y: 3, w: 6, h: 5 },
    ),
    asks('New, returning, lost', { kind: 'lifecycle', happening: anything }, { x: 6, y: 3, w: 6, h: 5 }),
    asks(
      'Who comes back, by week',
      { kind: 'retention', target: anything, interval: 'week', period: '8w' },
      { x: 0, y: 8, w: 12, h: 10 },
    ),
    asks(
      'What they do',
      {
        kind: 'trend',
        series: [{ ...anything, measure: { math: 'total' } }],
        breakdowns: [{ type: 'event', key: '$event' }],
        chart: 'table',
      },
      { x: 0, y: 18, w: 6, h: 6 },
    ),
    asks('How often', { kind: 'stickiness' }, { x: 6, y: 18, w: 6, h: 6 }),
  ],
}

const saas: Template = {
  label: 'SaaS growth',
  about: 'From the first visit to those who pay, and what they bring.',
  cards: [
    says(
      '## Growth\nThe steps name events that many products send. Open a card’s menu to ask about yours instead.',
      { x: 0, y: 0, w: 12, h: 2 },
    ),
    number('Visitors', { ...pageview, measure: { math: 'persons' } }, { x: 0, y: 2, w: 4, h: 3 }),
    number('Sign-ups', { event: 'signup', measure: { math: 'persons' } }, { x: 4, y: 2, w: 4, h: 3 }),
    number(
      'Revenue',
      {
        event: null,
        measure: { math: 'sum', property: { type: 'event', key: '$revenue' } },
        label: 'Revenue',
      },
      { x: 8, y: 2, w: 4, h: 3 },
    ),
    asks(
      'From visit to sign-up',
      { kind: 'funnel', steps: [pageview, { event: 'signup' }] },
      { x: 0, y: 5, w: 6, h: 6 },
    ),
    asks(
      'Sign-ups over time',
      {
        kind: 'trend',
        series: [{ event: 'signup', measure: { math: 'persons' } }],
        compare: 'previous',
        chart: 'area',
      },
      { x: 6, y: 5, w: 6, h: 6 },
    ),
    asks(
      'Do those who signed up come back?',
      { kind: 'retention', target: { event: 'signup' }, returning: anything, interval: 'week', period: '8w' },
      { x: 0, y: 11, w: 12, h: 10 },
    ),
    rowsOf('Where they come from', 'channel', { x: 0, y: 21, w: 6, h: 6 }),
    rowsOf('Campaigns', 'utm_campaign', { x: 6, y: 21, w: 6, h: 6 }),
  ],
}

export const templates = { website, product, saas } as const satisfies Record<string, Template>
export type TemplateName = keyof typeof templates

export const isTemplateName = (name: unknown): name is TemplateName =>
  typeof name === 'string' && Object.hasOwn(templates, name)
