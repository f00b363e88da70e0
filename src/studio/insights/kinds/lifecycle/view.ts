import { Sprout } from 'lucide-react'
import { lazy } from 'react'
import type { KindView } from '../../kind-view'
import { matcherName } from '../../title-words'

export const lifecycleView: KindView<'lifecycle'> = {
  label: 'Lifecycle',
  icon: Sprout,
  asks: 'New, returning and dormant persons',
  start: () => ({ kind: 'lifecycle' }),
  title: ({ happening }) => `Lifecycle: ${matcherName(happening)}`,
  isTable: false,
  Form: lazy(async () => ({ default: (await import('./Form')).LifecycleForm })),
  chart: async () => (await import('./Chart')).LifecycleChart,
}
