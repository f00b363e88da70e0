import { Gauge } from 'lucide-react'
import { lazy } from 'react'
import type { KindView } from '../../kind-view'

export const totalsView: KindView<'totals'> = {
  label: 'Totals',
  icon: Gauge,
  asks: 'Visitors, visits, bounce rate and duration',
  start: () => ({ kind: 'totals', compare: 'previous' }),
  title: () => 'Visitors, visits and conversions',
  isTable: true,
  Form: lazy(async () => ({ default: (await import('./Form')).TotalsForm })),
  chart: async () => (await import('./Chart')).TotalsChart,
}
