import {
  CalendarHeart,
  ChartNoAxesColumn,
  ChartSpline,
  Filter,
  GitCompareArrows,
  Gauge,
  List,
  type LucideIcon,
  RefreshCcw,
  Route,
  Sprout,
  Terminal,
} from 'lucide-react'

/** The labels of a kind of question. */
interface KindLabels {
  label: string
  icon: LucideIcon
  /** The question that this kind answers, in plain words. */
  asks: string
  /** The question before any choice, given an event of interest, if any; without `start`, no form builds the kind. */
  start?: (custom: string | null) => { kind: string; [part: string]: unknown }
}

const insightKindViews = { event: '$pageview' }

export const kindLabels: Readonly<Record<string, KindLabels>> = {
  trend: {
    label: 'Trend',
    icon: ChartSpline,
    asks: 'A number over time',
    start: () => ({ kind: 'trend', series: [{ ...insightKindViews, measure: { math: 'persons' } }] }),
  },
  funnel: {
    label: 'Funnel',
    icon: Filter,
    asks: 'Conversion and drop-off between steps',
    start: (custom) => ({ kind: 'funnel', steps: [insightKindViews, { event: custom }] }),
  },
  retention: {
    label: 'Retention',
    icon: RefreshCcw,
    asks: 'How many persons return',
    start: () => ({ kind: 'retention', target: insightKindViews, interval: 'week', period: '12w' }),
  },
  paths: {
    label: 'Paths',
    icon: Route,
    asks: 'How people move between pages or events',
    start: () => ({ kind: 'paths', steps: 4, top: 6 }),
  },
  lifecycle: {
    label: 'Lifecycle',
    icon: Sprout,
    asks: 'New, returning and dormant persons',
    start: () => ({ kind: 'lifecycle' }),
  },
  stickiness: {
    label: 'Stickiness',
    icon: CalendarHeart,
    asks: 'On how many days persons are active',
    start: () => ({ kind: 'stickiness' }),
  },
  breakdown: {
    label: 'Breakdown',
    icon: List,
    asks: 'Top pages, sources and countries',
    start: () => ({ kind: 'breakdown', dimensions: ['page', 'source'] }),
  },
  totals: {
    label: 'Totals',
    icon: Gauge,
    asks: 'Visitors, visits, bounce rate and duration',
    start: () => ({ kind: 'totals', compare: 'previous' }),
  },
  correlation: {
    label: 'Correlation',
    icon: GitCompareArrows,
    asks: 'What correlates with conversion',
    start: (custom) => ({ kind: 'correlation', steps: [insightKindViews, { event: custom }] }),
  },
  sql: { label: 'SQL', icon: Terminal, asks: 'Your own SQL query' },
}

const unknown: KindLabels = { label: 'Question', icon: ChartNoAxesColumn, asks: '' }

export const labelsFor = (kind: string): KindLabels =>
  Object.hasOwn(kindLabels, kind) ? (kindLabels[kind] ?? unknown) : unknown

/** Kinds that a form builds, as choices. */
export const builtKinds = Object.entries(kindLabels).flatMap(([kind, { start, ...words }]) =>
  start ? [{ kind, start, ...words }] : [],
)
