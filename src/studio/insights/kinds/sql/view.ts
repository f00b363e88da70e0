import { Terminal } from 'lucide-react'
import type { KindView } from '../../kind-view'
import { LazySqlForm } from './LazyForm'

export const sqlView: KindView<'sql'> = {
  label: 'SQL',
  icon: Terminal,
  asks: 'Your own SQL query',
  title: () => 'Answer',
  isTable: true,
  Form: LazySqlForm,
  chart: async () => (await import('./Chart')).SqlChart,
}
