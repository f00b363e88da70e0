import { RefreshCcw } from 'lucide-react'
import { lazy } from 'react'
import { type KindView, pageViews } from '../../kind-view'
import { matcherName } from '../../title-words'

export const retentionView: KindView<'retention'> = {
  label: 'Retention',
  icon: RefreshCcw,
  asks: 'How many persons return',
  start: () => ({ kind: 'retention', target: pageViews, interval: 'week', period: '12w' }),
  title: ({ target, interval }) => `Retention by the ${interval} after ${matcherName(target)}`,
  isTable: true,
  Form: lazy(async () => ({ default: (await import('./Form')).RetentionForm })),
  chart: async () => (await import('./Chart')).RetentionChart,
}
