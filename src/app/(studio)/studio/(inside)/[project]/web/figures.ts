import type { Direction } from '#ui/chart/chart'
import type { FigureName } from './question'

/** A figure at the top of the page: its label, and the rule by which it is counted. */
export interface FigureLabels {
  label: string
  about: string
  as: 'number' | 'percent' | 'duration' | 'money'
  good?: Direction
  /** Only beside a goal. */
  ofGoal?: true
}

export const figureLabels: Record<FigureName, FigureLabels> = {
  visitors: {
    label: 'Visitors',
    about:
      'How many different people or devices were here. Without a cookie, the same device is another one tomorrow.',
    as: 'number',
  },
  visits: {
    label: 'Visits',
    about: 'A visit is a run of one visitor’s events without 30 idle minutes, 24 hours at most.',
    as: 'number',
  },
  views: { label: 'Views', about: 'Pages and screens that were opened, each time anew.', as: 'number' },
  viewsPerVisit: { label: 'Views per visit', about: 'Views, divided by visits.', as: 'number' },
  bounceRate: {
    label: 'Bounce rate',
    about:
      'A bounce is a visit with one view and nothing done: no click, no form, no event of your own. The rate is of the visits with a view.',
    as: 'percent',
    good: 'down',
  },
  duration: {
    label: 'Visit duration',
    about: 'From the first to the last event of a visit, on average. A bounce lasted no time.',
    as: 'duration',
  },
  revenue: { label: 'Revenue', about: 'The sum of the revenue that events brought along.', as: 'money' },
  conversions: {
    label: 'Conversions',
    about: 'Visitors who reached the chosen goal at least once.',
    as: 'number',
    ofGoal: true,
  },
  conversionRate: {
    label: 'Conversion rate',
    about: 'Of all visitors, the share who reached the chosen goal.',
    as: 'percent',
    ofGoal: true,
  },
}

export const scrollLabels = {
  label: 'Scroll depth',
  about:
    'How much of a page was seen, on average. A page opened twice in a visit counts as far as it was read.',
} as const
