import { BarChart } from '#ui/chart/BarChart'
import { BarList } from '#ui/chart/BarList'
import { number, percent } from '#ui/format'
import { Badge } from '#ui/Badge'
import { Panel } from '#ui/page/Panel'
import { ScrollBox } from '#ui/table/Table'
import type { QuestionResult, RatingScore } from './question-results'

interface QuestionResultPanelProps {
  /** "2. What did you buy?" */
  title: string
  kind: string
  result: QuestionResult
}

/** One question's answers: its chart, how many answered it, and how many left with it. */
export function QuestionResultPanel({ title, kind, result }: QuestionResultPanelProps) {
  const { answered, stopped } = result
  return (
    <Panel
      title={title}
      actions={<Badge>{kind}</Badge>}
      footer={`${number(answered)} ${answered === 1 ? 'answer' : 'answers'}${
        stopped > 0 ? ` · ${number(stopped)} left after it` : ''
      }`}
      flush={result.shape === 'bars' || result.shape === 'ranking'}
    >
      {answered === 0 ? (
        <p className="px-4 py-6 text-center text-muted">No answers in this period.</p>
      ) : (
        <ResultChart title={title} result={result} />
      )}
    </Panel>
  )
}

function ResultChart({ title, result }: Pick<QuestionResultPanelProps, 'title' | 'result'>) {
  switch (result.shape) {
    case 'rating':
      return (
        <div className="flex flex-col gap-4">
          {result.score && <Score score={result.score} />}
          <BarChart
            title={title}
            points={result.rows.map((row) => ({ label: row.key, title: row.label }))}
            series={[{ key: 'answers', label: 'Answers', values: result.rows.map(({ value }) => value) }]}
            size="sm"
          />
        </div>
      )
    case 'bars':
      return (
        <BarList
          title={title}
          heads={{ label: 'Answer', value: result.several ? 'Chosen by' : 'Answers' }}
          total={result.answered}
          rows={result.rows}
        />
      )
    case 'ranking':
      return (
        <BarList
          title={title}
          heads={{ label: 'Choice', value: 'Ranked by', second: 'Mean rank' }}
          rows={result.rows.map(({ meanRank, ...row }) => ({
            ...row,
            second: meanRank === undefined ? null : Math.round(meanRank * 100) / 100,
          }))}
        />
      )
    case 'matrix':
      return <MatrixHeat title={title} {...result} />
    default:
      return null
  }
}

/** A score with the interval that contains the true one in 95 of 100 samples. */
function Score({ score: { label, estimate, unit, groups } }: { score: RatingScore }) {
  const written = (value: number) => (unit === 'percent' ? percent(value) : number(Math.round(value)))
  const { value, low, high } = estimate
  return (
    <div className="flex flex-wrap items-baseline gap-x-6 gap-y-1">
      <p>
        <span className="text-2xl font-semibold tabular-nums">{written(value)}</span>{' '}
        <span className="text-muted">
          {label}, between {written(low)} and {written(high)} with 95% confidence
        </span>
      </p>
      <ul className="flex flex-wrap gap-x-4 text-xs text-muted">
        {groups.map((group) => (
          <li key={group.label}>
            {group.label}: <span className="tabular-nums">{number(group.count)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function MatrixHeat({
  title,
  columns,
  rows,
}: { title: string } & Pick<Extract<QuestionResult, { shape: 'matrix' }>, 'columns' | 'rows'>) {
  return (
    <ScrollBox caption={title} isReachable>
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">{title}</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">Row</span>
            </th>
            {columns.map((column) => (
              <th key={column} scope="col" className="px-2 py-1.5 font-medium text-muted">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, label, cells }) => (
            <HeatRow key={key} label={label} cells={cells} columns={columns} />
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

const strongest = 40

function HeatRow({
  label,
  cells,
  columns,
}: {
  label: string
  cells: readonly number[]
  columns: readonly string[]
}) {
  const total = cells.reduce((sum, count) => sum + count, 0)
  return (
    <tr>
      <th scope="row" className="py-1.5 pr-3 text-left font-normal">
        {label}
      </th>
      {cells.map((count, index) => {
        const share = total > 0 ? count / total : 0
        return (
          <td
            key={columns[index]}
            className="border border-line px-2 py-1.5 text-center tabular-nums"
            style={{
              background: `color-mix(in oklab, var(--color-chart-1) ${Math.round(share * strongest)}%, transparent)`,
            }}
          >
            {percent(share)} <span className="text-xs text-muted">{number(count)}</span>
          </td>
        )
      })}
    </tr>
  )
}
