import { GitCompareArrows } from 'lucide-react'
import { lazy } from 'react'
import { type KindView, pageViews } from '../../kind-view'
import { matcherName } from '../../title-words'

export const correlationView: KindView<'correlation'> = {
  label: 'Correlation',
  icon: GitCompareArrows,
  asks: 'What correlates with conversion',
  start: (custom) => ({ kind: 'correlation', steps: [pageViews, { event: custom }] }),
  title: ({ steps }) => `Correlation: ${steps.map(matcherName).join(' → ')}`,
  isTable: true,
  Form: lazy(async () => ({ default: (await import('./Form')).CorrelationForm })),
  chart: async () => (await import('./Chart')).CorrelationChart,
}
