import type { ReactNode } from 'react'
import { BarList } from '#ui/chart/BarList'
import { number, plural } from '#ui/format'
import { Badge } from '#ui/Badge'
import { Panel } from '#ui/page/Panel'
import { MarketFitScore } from './MarketFitScore'
import { MatrixHeat } from './MatrixHeat'
import type { Narrowing } from './narrowing'
import type { AnswerRow, QuestionResult } from '../kinds/kind-result'
import { RatingResult, type ScoreCourse } from './RatingResult'

interface QuestionResultPanelProps {
  /** "2. What did you buy?" */
  title: string
  kind: string
  /** As wide as the page, where there is room for two beside each other. */
  isWide: boolean
  /** Why the question stands apart: "Removed". */
  note?: string
  result: QuestionResult
  narrowing: Narrowing
  course?: ScoreCourse | undefined
  /** The parts of a breakdown, each with its answers to this question. */
  parts?: readonly AnswerPart[]
  /** Drawn in place of a chart, or below it for those that were typed beside choices. */
  texts?: ReactNode
}

/** The answers to a question with one value of a breakdown. */
export interface AnswerPart {
  key: string
  label: string
  result: QuestionResult
}

/** The answers to one question: their chart, their number, and the number of persons who left with it. */
export function QuestionResultPanel({
  title,
  kind,
  isWide,
  note,
  result,
  ...drawn
}: QuestionResultPanelProps) {
  const { answered, stopped } = result
  const isList = result.shape === 'bars' || result.shape === 'ranking'
  return (
    <div className={isWide ? 'min-w-0 xl:col-span-2' : 'min-w-0'}>
      <Panel
        title={title}
        actions={
          <>
            {note !== undefined && <Badge>{note}</Badge>}
            <Badge>{kind}</Badge>
          </>
        }
        footer={`${plural(answered, 'answer')}${stopped > 0 ? ` · ${number(stopped)} left after it` : ''}`}
        flush={isList && answered > 0}
      >
        {answered === 0 ? (
          <p className="py-6 text-center text-muted">No answers in this period.</p>
        ) : (
          <ResultChart title={title} isWide={isWide} result={result} {...drawn} />
        )}
      </Panel>
    </div>
  )
}

type ResultChartProps = Omit<QuestionResultPanelProps, 'kind' | 'note'>

function ResultChart({ title, isWide, result, narrowing, course, parts = [], texts }: ResultChartProps) {
  const pressable = <Row extends AnswerRow>(row: Row) => ({
    ...row,
    href: narrowing.hrefOf([row.answer]),
    valueHref: narrowing.peopleHrefOf([row.answer]),
    current: narrowing.isCurrent([row.answer]),
  })
  switch (result.shape) {
    case 'rating':
      return <RatingResult title={title} result={result} course={course} narrowing={narrowing} />
    case 'bars':
      return (
        <div className={isWide && parts.length > 0 ? 'grid lg:grid-cols-2' : ''}>
          {result.marketFit && (
            <div className="border-b border-line p-4 lg:col-span-full">
              <MarketFitScore estimate={result.marketFit} />
            </div>
          )}
          <BarList
            title={title}
            heads={{ label: 'Answer', value: result.several ? 'Chosen by' : 'Answers' }}
            total={result.answered}
            rows={result.rows.map(pressable)}
          />
          {parts.length > 0 && <AnswersByPart title={title} rows={result.rows} parts={parts} />}
          {texts && <div className="min-w-0 border-t border-line px-4 pt-1">{texts}</div>}
        </div>
      )
    case 'ranking':
      return (
        <BarList
          title={title}
          heads={{ label: 'Choice', value: 'Ranked by', second: 'Mean rank' }}
          rows={result.rows.map(({ meanRank, ...row }) => ({
            ...pressable(row),
            second: meanRank === undefined ? null : Math.round(meanRank * 100) / 100,
          }))}
        />
      )
    case 'matrix':
      return <MatrixAnswers title={title} result={result} narrowing={narrowing} />
    case 'texts':
      return texts
    default:
      return null
  }
}

/** The share of each answer within each part of a breakdown. */
function AnswersByPart({
  title,
  rows,
  parts,
}: {
  title: string
  rows: readonly AnswerRow[]
  parts: readonly AnswerPart[]
}) {
  const counted = parts.flatMap(({ key, label, result }) =>
    result.shape === 'bars'
      ? [
          {
            key,
            label,
            answered: result.answered,
            rows: new Map(result.rows.map((row) => [row.key, row.value])),
          },
        ]
      : [],
  )
  return (
    <div className="min-w-0 border-t border-line px-4 py-2">
      <MatrixHeat
        caption={`${title}: answers by part`}
        head="Answer"
        columns={counted}
        rows={rows.map(({ key, label }) => ({
          key,
          label,
          cells: counted.map((part) => cellOf(part.rows.get(key) ?? 0, part.answered)),
        }))}
      />
    </div>
  )
}

const cellOf = (count: number, size: number) => ({ count, share: size > 0 ? count / size : 0 })

function MatrixAnswers({
  title,
  result: { columns, rows },
  narrowing,
}: {
  title: string
  result: Extract<QuestionResult, { shape: 'matrix' }>
  narrowing: Narrowing
}) {
  return (
    <MatrixHeat
      caption={title}
      head="Row"
      columns={columns.map(({ id, text }) => ({ key: id, label: text }))}
      rows={rows.map(({ key: row, label, cells }) => {
        const size = cells.reduce((sum, count) => sum + count, 0)
        return {
          key: row,
          label,
          cells: cells.map((count, index) => {
            const values = [{ row, column: columns[index]?.id ?? '' }]
            return {
              ...cellOf(count, size),
              href: narrowing.hrefOf(values),
              peopleHref: narrowing.peopleHrefOf(values),
              current: narrowing.isCurrent(values),
            }
          }),
        }
      })}
    />
  )
}
