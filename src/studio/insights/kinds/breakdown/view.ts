import { List } from 'lucide-react'
import { lazy } from 'react'
import { wordsOf } from '#insights/text/dimension-words'
import type { KindView } from '../../kind-view'
import { listed } from '../../title-words'

export const breakdownView: KindView<'breakdown'> = {
  label: 'Breakdown',
  icon: List,
  asks: 'Top pages, sources and countries',
  start: () => ({ kind: 'breakdown', dimensions: ['page', 'source'] }),
  title: ({ dimensions }) =>
    `Visitors by ${listed(dimensions.map((name) => wordsOf(name).label.toLowerCase()))}`,
  isTable: true,
  Form: lazy(async () => ({ default: (await import('./Form')).BreakdownForm })),
  chart: async () => (await import('./Chart')).BreakdownChart,
}
