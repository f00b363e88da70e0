import { Filter } from 'lucide-react'
import { type KindView, pageViews } from '../../kind-view'
import { matcherName } from '../../title-words'
import { LazyFunnelForm } from './LazyForm'

export const funnelView: KindView<'funnel'> = {
  label: 'Funnel',
  icon: Filter,
  asks: 'Conversion and drop-off between steps',
  start: (custom) => ({ kind: 'funnel', steps: [pageViews, { event: custom }] }),
  title: ({ steps }) => steps.map(matcherName).join(' → '),
  isTable: false,
  Form: LazyFunnelForm,
  chart: async () => (await import('./Chart')).FunnelChart,
}
