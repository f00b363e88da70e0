import { valueName } from '#events/value-names'
import type { AnsweredQuery } from '#insights/answered-query'
import { nameWithMargin } from '#insights/approximation'
import type { Panel, PanelRow } from '#insights/kinds/breakdown/answer'
import { BarList } from '#ui/chart/BarList'
import type { BarListProps, BarRow } from '#ui/chart/chart'
import { CountryFlag } from '#ui/CountryFlag'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { paths } from '#studio/paths'
import { numberQuery, type WebContext } from './web-queries'
import { isChosen, searchOf, toggled } from './web-query'
import { furtherColumns, furtherNumbers } from './row-columns'

interface RowsProps extends Pick<BarListProps, 'sort' | 'sortHref'> {
  panel: Panel
  web: WebContext
  total?: number
  approximate?: AnsweredQuery['approximate'] | undefined
  /** With every column, where the rows have the page to themselves. */
  isFull?: boolean
}

/** The rows of a dimension. A press on one narrows the page by it; another press takes that back. */
export function Rows({ panel, web, total, approximate, isFull = false, ...sorting }: RowsProps) {
  const { label, rows, dimension } = panel
  const isOfEvents = rows.some(({ events }) => events !== undefined)
  // in a panel there is room for a goal or for how visits went
  const further = web.goal && !isFull ? [] : furtherColumns(dimension, isFull, web.chartSettings.bounceRule)
  const hasViews = isOfEvents && (isFull || further.length === 0)
  const heads: BarListProps['heads'] = {
    label,
    value: nameWithMargin({ name: 'Visitors', ...approximate }),
    ...(web.goal
      ? { second: nameWithMargin({ name: 'Conversion', ...approximate }) }
      : hasViews && { second: timesOf(panel) }),
  }
  return (
    <div className="@container">
      <BarList
        title={`Visitors by ${label.toLowerCase()}`}
        heads={heads}
        rows={rows.map((row) => rowOf(row, panel, web))}
        secondUnit={web.goal ? 'percent' : 'number'}
        further={further}
        total={total}
        empty={
          <EmptyMessage title="No data in this period" body="Try a longer date range or fewer filters." />
        }
        {...sorting}
      />
    </div>
  )
}

const timesOf = ({ dimension }: Panel): string =>
  dimension === 'page' || dimension === 'title' || dimension === 'host' ? 'Views' : 'Total'

function rowOf(row: PanelRow, { dimension }: Panel, web: WebContext): BarRow {
  const { project, question, goal } = web
  const value = row.value ?? ''
  return {
    key: value,
    label: valueName(dimension, value),
    value: row.visitors,
    compared: row.compared?.visitors,
    second: goal ? (row.figures?.conversionRate ?? row.conversionRate ?? null) : row.events,
    further: furtherNumbers(dimension, row),
    icon: dimension === 'country' ? <CountryFlag country={value} /> : undefined,
    href: paths.web(project.slug, searchOf(toggled(question, dimension, value))),
    valueHref: paths.personsBehind(project.slug, numberQuery(web, 'breakdown', dimension), {
      dimension,
      value: row.value,
    }),
    current: isChosen(question, dimension, value),
  }
}
