import { ChartSpline } from 'lucide-react'
import { mathWords } from '#insights/measures/maths'
import { type KindView, pageViews } from '../../kind-view'
import { listed, matcherName } from '../../title-words'
import { LazyTrendForm } from './LazyForm'

export const trendView: KindView<'trend'> = {
  label: 'Trend',
  icon: ChartSpline,
  asks: 'A number over time',
  start: () => ({ kind: 'trend', series: [{ ...pageViews, measure: { math: 'persons' } }] }),
  title: ({ series, formulas }) =>
    listed([
      ...series
        .filter(({ isHidden }) => !isHidden)
        .map((one) =>
          one.label || one.measure.math === 'total'
            ? matcherName(one)
            : `${matcherName(one)}: ${mathWords(one.measure.math).label.toLowerCase()}`,
        ),
      ...formulas.map(({ label, text }) => label ?? text),
    ]),
  isTable: false,
  Form: LazyTrendForm,
  chart: async () => (await import('./Chart')).TrendChart,
}
