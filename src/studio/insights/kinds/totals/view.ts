import { Gauge } from 'lucide-react'
import type { KindView } from '../../kind-view'
import { LazyTotalsForm } from './LazyForm'

export const totalsView: KindView<'totals'> = {
  label: 'Totals',
  icon: Gauge,
  asks: 'Visitors, visits, bounce rate and duration',
  start: () => ({ kind: 'totals', compare: 'previous' }),
  title: () => 'Visitors, visits and conversions',
  isTable: true,
  Form: LazyTotalsForm,
  chart: async () => (await import('./Chart')).TotalsChart,
}
