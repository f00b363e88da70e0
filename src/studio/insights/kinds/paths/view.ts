import { Route } from 'lucide-react'
import type { KindView } from '../../kind-view'
import { LazyPathsForm } from './LazyForm'

export const pathsView: KindView<'paths'> = {
  label: 'Paths',
  icon: Route,
  asks: 'How people move between pages or events',
  start: () => ({ kind: 'paths', steps: 4, top: 6 }),
  title: ({ of, start, end }) => `Paths of ${of}${start ? ` from ${start}` : ''}${end ? ` to ${end}` : ''}`,
  isTable: false,
  Form: LazyPathsForm,
  chart: async () => (await import('./Chart')).PathsChart,
}
