import { RefreshCcw } from 'lucide-react'
import { type KindView, pageViews } from '../../kind-view'
import { matcherName } from '../../title-words'
import { LazyRetentionForm } from './LazyForm'

export const retentionView: KindView<'retention'> = {
  label: 'Retention',
  icon: RefreshCcw,
  asks: 'How many people return',
  start: () => ({ kind: 'retention', target: pageViews, interval: 'week', period: '12w' }),
  title: ({ target, interval }) => `Retention by the ${interval} after ${matcherName(target)}`,
  isTable: true,
  Form: LazyRetentionForm,
  chart: async () => (await import('./Chart')).RetentionChart,
}
