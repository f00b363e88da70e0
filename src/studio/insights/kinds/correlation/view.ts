import { GitCompareArrows } from 'lucide-react'
import { type KindView, pageViews } from '../../kind-view'
import { matcherName } from '../../title-words'
import { LazyCorrelationForm } from './LazyForm'

export const correlationView: KindView<'correlation'> = {
  label: 'Correlation',
  icon: GitCompareArrows,
  asks: 'What correlates with conversion',
  start: (custom) => ({ kind: 'correlation', steps: [pageViews, { event: custom }] }),
  title: ({ steps }) => `Correlation: ${steps.map(matcherName).join(' → ')}`,
  isTable: true,
  Form: LazyCorrelationForm,
  chart: async () => (await import('./Chart')).CorrelationChart,
}
