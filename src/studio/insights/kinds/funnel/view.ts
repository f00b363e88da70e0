import { Filter } from 'lucide-react'
import { lazy } from 'react'
import { type KindView, pageViews } from '../../kind-view'
import { matcherName } from '../../title-words'

export const funnelView: KindView<'funnel'> = {
  label: 'Funnel',
  icon: Filter,
  asks: 'Conversion and drop-off between steps',
  start: (custom) => ({ kind: 'funnel', steps: [pageViews, { event: custom }] }),
  title: ({ steps }) => steps.map(matcherName).join(' → '),
  isTable: false,
  Form: lazy(async () => ({ default: (await import('./Form')).FunnelForm })),
  chart: async () => (await import('./Chart')).FunnelChart,
}
