import { valueName } from '#events/value-names'
import { CountryFlag } from '#ui/CountryFlag'
import { BarList } from '#ui/chart/BarList'
import type { BarListProps, BarRow } from '#ui/chart/chart'
import { number } from '#ui/format'
import type { ChartProps } from '#insights/chart/chart-settings'
import type { BreakdownAnswer, Panel, PanelRow } from '#insights/chart/panel'
import type { BreakdownQuestion } from '#insights/kinds/breakdown/question'
import { NothingHappened } from '../../chart/NothingHappened'

type BreakdownChartProps = ChartProps<BreakdownQuestion, BreakdownAnswer>

/** A list for each dimension: visitors by page, source, place, device … */
export function BreakdownChart({ answer, question, size }: BreakdownChartProps) {
  const isSeveral = answer.panels.length > 1
  return (
    <div className={isSeveral ? 'grid min-w-0 gap-x-6 gap-y-5 *:min-w-0 md:grid-cols-2' : 'min-w-0'}>
      {answer.panels.map((panel) => (
        <section key={panel.dimension} aria-label={panel.label} className="-mx-4 min-w-0">
          {isSeveral && <p className="mb-1 px-4 text-sm font-medium">{panel.label}</p>}
          <PanelDrawn panel={panel} hasRoom={!isSeveral} answer={answer} question={question} />
          {size !== 'sm' && <More panel={panel} />}
        </section>
      ))}
    </div>
  )
}

function PanelDrawn({
  panel,
  hasRoom,
  answer,
  question,
}: { panel: Panel; hasRoom: boolean } & Pick<BreakdownChartProps, 'answer' | 'question'>) {
  const heads: BarListProps['heads'] = {
    label: panel.label,
    value: 'Visitors',
    ...(question.goal ? { second: 'Conversion' } : hasRoom && isOfEvents(panel) && { second: 'Total' }),
  }
  return (
    <BarList
      title={`Visitors by ${panel.label.toLowerCase()}`}
      heads={heads}
      rows={panel.rows.map((row) => rowOf(row, panel, question))}
      secondUnit={question.goal ? 'percent' : 'number'}
      total={answer.totals?.figures.visitors}
      empty={<NothingHappened />}
    />
  )
}

const isOfEvents = ({ rows }: Panel): boolean => rows.some(({ events }) => events !== undefined)

const rowOf = (row: PanelRow, { dimension }: Panel, { goal }: BreakdownQuestion): BarRow => ({
  key: row.value ?? '',
  label: valueName(dimension, row.value),
  value: row.visitors,
  compared: row.compared?.visitors,
  icon: dimension === 'country' && row.value ? <CountryFlag country={row.value} /> : undefined,
  second: goal ? (row.figures?.conversionRate ?? row.conversionRate ?? null) : row.events,
})

function More({ panel: { rows, valuesInAll } }: { panel: Panel }) {
  if (valuesInAll <= rows.length) return null
  return (
    <p className="px-4 pt-2 text-xs text-muted">
      {number(rows.length)} of {number(valuesInAll)} values
    </p>
  )
}
