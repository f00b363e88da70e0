import { Sprout } from 'lucide-react'
import type { KindView } from '../../kind-view'
import { matcherName } from '../../title-words'
import { LazyLifecycleForm } from './LazyForm'

export const lifecycleView: KindView<'lifecycle'> = {
  label: 'Lifecycle',
  icon: Sprout,
  asks: 'New, returning and dormant people',
  start: () => ({ kind: 'lifecycle' }),
  title: ({ happening }) => `Lifecycle: ${matcherName(happening)}`,
  isTable: false,
  Form: LazyLifecycleForm,
  chart: async () => (await import('./Chart')).LifecycleChart,
}
