import { List } from 'lucide-react'
import { wordsOf } from '#insights/text/dimension-words'
import type { KindView } from '../../kind-view'
import { listed } from '../../title-words'
import { LazyBreakdownForm } from './LazyForm'

export const breakdownView: KindView<'breakdown'> = {
  label: 'Breakdown',
  icon: List,
  asks: 'Top pages, sources and countries',
  start: () => ({ kind: 'breakdown', dimensions: ['page', 'source'] }),
  title: ({ dimensions }) =>
    `Visitors by ${listed(dimensions.map((name) => wordsOf(name).label.toLowerCase()))}`,
  isTable: true,
  Form: LazyBreakdownForm,
  chart: async () => (await import('./Chart')).BreakdownChart,
}
