import type { LucideIcon } from 'lucide-react'
import type { ComponentType, FC } from 'react'
import type { AnswerByKind, KindName, QueryByKind, QueryInput } from '#insights/answered-query'
import type { ChartProps } from '#insights/chart-settings'
import type { QueryFormProps } from './form/form-parts'

/** The look of a kind of query: its words, and its form and chart, which are loaded where they are drawn. */
export interface KindView<Kind extends KindName> {
  label: string
  icon: LucideIcon
  /** The words of what this kind asks. */
  asks: string
  /** The query before any choice, given an event of interest, if any; without it, the kind is not offered. */
  start?: (custom: string | null) => QueryInput<Kind>
  /** The title of a query without a name. */
  title: (query: QueryByKind[Kind]) => string
  /** Whether its chart is a table already, and needs none beside it. */
  isTable: boolean
  /** Loaded when it is drawn. */
  Form: ComponentType<QueryFormProps<QueryByKind[Kind]>>
  chart: () => Promise<FC<ChartProps<QueryByKind[Kind], AnswerByKind[Kind]>>>
}

export const pageViews = { event: '$pageview' }
