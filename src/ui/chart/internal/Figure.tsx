import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { DataTable } from './DataTable'
import type { ChartTable } from './chart-table'

/** A drawing, its name, what it says in a sentence, and its table; charts.css decides which of the two is seen. */
export function Figure({
  title,
  description,
  readings,
  isStacked,
  children,
}: {
  title: string
  description?: string
  readings: ChartTable
  isStacked?: boolean
  children: ReactNode
}) {
  return (
    <figure className={clsx('chart relative min-w-0', isStacked && 'chart-stacked')}>
      <figcaption className="sr-only">
        <bdi>{title}</bdi>
        {description && <>. {description}</>}
      </figcaption>
      <div className="chart-drawing">{children}</div>
      <DataTable caption={title} {...readings} />
    </figure>
  )
}
