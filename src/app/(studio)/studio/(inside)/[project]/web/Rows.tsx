import type { Panel, PanelRow } from '#insights/chart/panel'
import { BarList } from '#ui/chart/BarList'
import type { BarListProps, BarRow } from '#ui/chart/chart'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { paths } from '#app/paths'
import type { WebContext } from './web-questions'
import { isChosen, searchOf, toggled } from './question'
import { flagOf, valueLabel } from './values'

/** The rows of a dimension. A press on one narrows the page by it; another press takes that back. */
export function Rows({ panel, web, total }: { panel: Panel; web: WebContext; total?: number }) {
  const { label, rows } = panel
  const isOfEvents = rows.some(({ events }) => events !== undefined)
  const heads: BarListProps['heads'] = {
    label,
    value: 'Visitors',
    ...(web.goal ? { second: 'Conversion' } : isOfEvents && { second: timesOf(panel) }),
  }
  return (
    <BarList
      title={`Visitors by ${label.toLowerCase()}`}
      heads={heads}
      rows={rows.map((row) => rowOf(row, panel, web))}
      secondUnit={web.goal ? 'percent' : 'number'}
      total={total}
      empty={<EmptyMessage title="Nothing in this period" body="Try a longer one, or fewer conditions." />}
    />
  )
}

const timesOf = ({ dimension }: Panel): string =>
  dimension === 'page' || dimension === 'title' || dimension === 'host' ? 'Views' : 'Times'

function rowOf(row: PanelRow, { dimension }: Panel, { project, question, goal }: WebContext): BarRow {
  const value = row.value ?? ''
  return {
    key: value,
    label: valueLabel(dimension, value),
    value: row.visitors,
    compared: row.compared?.visitors,
    second: goal ? (row.figures?.conversionRate ?? row.conversionRate ?? null) : row.events,
    icon: dimension === 'country' ? <Flag country={value} /> : undefined,
    href: paths.web(project.slug, searchOf(toggled(question, dimension, value))),
    current: isChosen(question, dimension, value),
  }
}

const Flag = ({ country }: { country: string }) => <span aria-hidden>{flagOf(country)}</span>
