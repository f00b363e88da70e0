import { Terminal } from 'lucide-react'
import { lazy } from 'react'
import type { KindView } from '../../kind-view'

export const sqlView: KindView<'sql'> = {
  label: 'SQL',
  icon: Terminal,
  asks: 'Your own SQL query',
  title: () => 'Answer',
  isTable: true,
  Form: lazy(async () => ({ default: (await import('./Form')).SqlForm })),
  chart: async () => (await import('./Chart')).SqlChart,
}
