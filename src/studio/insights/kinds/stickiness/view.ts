import { CalendarHeart } from 'lucide-react'
import type { KindView } from '../../kind-view'
import { listed, matcherName } from '../../title-words'
import { LazyStickinessForm } from './LazyForm'

export const stickinessView: KindView<'stickiness'> = {
  label: 'Stickiness',
  icon: CalendarHeart,
  asks: 'On how many days people are active',
  start: () => ({ kind: 'stickiness' }),
  title: ({ series }) => `Stickiness: ${listed(series.map(matcherName))}`,
  isTable: false,
  Form: LazyStickinessForm,
  chart: async () => (await import('./Chart')).StickinessChart,
}
