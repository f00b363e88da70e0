import { CalendarHeart } from 'lucide-react'
import { lazy } from 'react'
import type { KindView } from '../../kind-view'
import { listed, matcherName } from '../../title-words'

export const stickinessView: KindView<'stickiness'> = {
  label: 'Stickiness',
  icon: CalendarHeart,
  asks: 'On how many days persons are active',
  start: () => ({ kind: 'stickiness' }),
  title: ({ series }) => `Stickiness: ${listed(series.map(matcherName))}`,
  isTable: false,
  Form: lazy(async () => ({ default: (await import('./Form')).StickinessForm })),
  chart: async () => (await import('./Chart')).StickinessChart,
}
