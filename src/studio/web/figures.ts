import type { Direction } from '#ui/chart/chart'
import { bounceRuleText } from '#insights/bounce-rule'
import type { ChartSettings } from '#insights/chart/chart-settings'
import type { FigureName } from './question'

/** A figure at the top of the page: its label, and the rule by which it is counted. */
interface FigureLabels {
  label: string
  about: string | ((settings: Pick<ChartSettings, 'bounceRule'>) => string)
  as: 'number' | 'percent' | 'duration' | 'money'
  good?: Direction
  /** Only beside a goal. */
  ofGoal?: true
}

export const figureLabels: Record<FigureName, FigureLabels> = {
  visitors: {
    label: 'Visitors',
    about: 'Unique visitors. Without a cookie, a device counts once per day.',
    as: 'number',
  },
  visits: {
    label: 'Visits',
    about: 'A visit ends after 30 minutes without an event, or after 24 hours.',
    as: 'number',
  },
  views: { label: 'Views', about: 'Page and screen views, repeats included.', as: 'number' },
  viewsPerVisit: { label: 'Views per visit', about: 'Views divided by visits.', as: 'number' },
  bounceRate: {
    label: 'Bounce rate',
    about: ({ bounceRule }) => bounceRuleText(bounceRule),
    as: 'percent',
    good: 'down',
  },
  duration: {
    label: 'Visit duration',
    about: 'Average time from the first to the last event. A bounce counts as 0.',
    as: 'duration',
  },
  revenue: { label: 'Revenue', about: 'Sum of the revenue property of events.', as: 'money' },
  conversions: {
    label: 'Conversions',
    about: 'Visitors who reached the goal at least once.',
    as: 'number',
    ofGoal: true,
  },
  conversionRate: {
    label: 'Conversion rate',
    about: 'Share of visitors who reached the goal.',
    as: 'percent',
    ofGoal: true,
  },
}

export const scrollLabels = {
  label: 'Scroll depth',
  about: 'Average share of the page that was seen, once per visit.',
} as const
