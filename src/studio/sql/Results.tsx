'use client'

import { Bookmark, Download } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { csvOf } from '#insights/csv'
import type { AnswerColumn } from '#insights/kind'
import { longestQuery, queryText } from '#insights/text/query-text'
import { type SqlChartType, sqlChartOptions } from '#studio/insights/kinds/sql/chart-type'
import { tableOf } from '#insights/kinds/sql/answer'
import { Button } from '#ui/Button'
import type { TableColumn } from '#ui/table/column'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { FailedMessage } from '#ui/page/FailedMessage'
import { bytes, duration, number, plural } from '#ui/format'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { Panel } from '#ui/page/Panel'
import { Loading, Skeleton } from '#ui/page/Skeleton'
import { SegmentedControl } from '#ui/form/SegmentedControl'
import { Table } from '#ui/table/Table'
import { paths } from '#studio/paths'
import { type SqlDraft, hasPeriod } from './sql-draft'
import type { SqlRows } from './sql-result'
import type { SqlRun } from './use-sql'

const SqlDrawing = lazy(async () => ({
  default: (await import('#studio/insights/kinds/sql/Chart')).SqlDrawing,
}))

export function Results({
  slug,
  run,
  onRetry,
  onChart,
}: {
  slug: string
  run: SqlRun
  onRetry: () => void
  onChart: (chart: SqlChartType) => void
}) {
  if (run.state === 'running') return <Running />
  if (run.state === 'idle')
    return (
      <Panel>
        <EmptyMessage
          title="Rows appear here"
          body="Run the query above, pick an example, or click a column to insert it."
        />
      </Panel>
    )
  const { result, draft } = run
  if (result.done)
    return <Rows key={draft.text} slug={slug} draft={draft} result={result} onChart={onChart} />
  if (!result.isTrouble) return null
  const why = result.problems.map(({ message }) => message).join(' ')
  return (
    <Panel>
      <FailedMessage title="The query failed" body={why} onRetry={onRetry} />
    </Panel>
  )
}

const Running = () => (
  <Loading label="Running">
    <div className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4">
      <Skeleton className="h-5 w-40" />
      <Skeleton className="h-64 w-full" />
    </div>
  </Loading>
)

type ResultRow = { place: number; cells: readonly (string | number | null)[] }

const onePage = 100

interface RowsProps {
  slug: string
  draft: SqlDraft
  result: SqlRows
  onChart: (chart: SqlChartType) => void
}

function Rows({ slug, draft, result, onChart }: RowsProps) {
  const [page, setPage] = useState(0)
  const { rowsRead, bytesRead, tookMs } = result
  const { columns, rows } = tableOf({ ...result, read: { rows: rowsRead, bytes: bytesRead } })
  const pages = Math.max(1, Math.ceil(rows.length / onePage))
  const shown = rows
    .slice(page * onePage, (page + 1) * onePage)
    .map((cells, i): ResultRow => ({ place: page * onePage + i, cells }))
  return (
    <Panel
      flush
      title={countOf(result)}
      description={`${number(rowsRead)} rows and ${bytes(bytesRead)} read in ${duration(tookMs)}`}
      actions={
        <ExportActions
          slug={slug}
          draft={draft}
          csv={() => csvOf({ columns, rows })}
          isEmpty={rows.length === 0}
        />
      }
      footer={draft.chart === 'table' && pages > 1 && <Pages page={page} pages={pages} onPage={setPage} />}
    >
      <div className="px-4 pb-3">
        <SegmentedControl label="View as" options={sqlChartOptions} value={draft.chart} onChange={onChart} />
      </div>
      {draft.chart === 'table' ? (
        <Table
          caption="Rows"
          columns={columns.map(columnFor)}
          rows={shown}
          rowKey={({ place: index }) => String(index)}
          empty={<EmptyMessage title="No rows" body="The query returned no rows." />}
          maxHeight="36rem"
          dense
        />
      ) : (
        <div className="px-4 pb-4">
          <Suspense fallback={<Skeleton className="h-80 w-full" />}>
            <SqlDrawing table={{ columns, rows }} chart={draft.chart} title="Rows" timeZone="UTC" />
          </Suspense>
        </div>
      )}
    </Panel>
  )
}

function columnFor({ name, as }: AnswerColumn, index: number): TableColumn<ResultRow> {
  return {
    key: `${index} ${name}`,
    header: name,
    numeric: as === 'number',
    cell: ({ cells }) => formatCell(cells[index] ?? null),
  }
}

const countOf = ({ rows, isCut }: SqlRows): string => {
  if (isCut) return `The first ${number(rows.length)} rows; there are more`
  return plural(rows.length, 'row')
}

const longestCell = 300

/** Shows the engine's own format, which a condition would need. */
function formatCell(value: string | number | null) {
  if (value === null) return <span className="text-faint">null</span>
  const text = String(value)
  const isLong = text.length > longestCell
  return (
    <span className="font-mono text-xs whitespace-pre" {...(isLong && { title: text })}>
      {isLong ? `${text.slice(0, longestCell)}…` : text}
    </span>
  )
}

function ExportActions({
  slug,
  draft,
  csv,
  isEmpty,
}: {
  slug: string
  draft: SqlDraft
  csv: () => string
  isEmpty: boolean
}) {
  const q = queryText({
    kind: 'sql',
    text: draft.text,
    chart: draft.chart,
    ...(hasPeriod(draft.text) && { period: draft.period }),
  })
  return (
    <>
      <Button
        size="sm"
        icon={<Icon of={Download} />}
        onClick={() => save(csv())}
        {...(isEmpty && { disabledReason: 'No rows to save.' })}
      >
        CSV
      </Button>
      {q.length <= longestQuery && (
        <LinkButton size="sm" href={paths.newInsight(slug, { q })} icon={<Icon of={Bookmark} />}>
          Save as insight
        </LinkButton>
      )}
    </>
  )
}

/** Saves the shown rows: another query might return others. */
function save(text: string) {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = 'rows.csv'
  link.click()
  URL.revokeObjectURL(address)
}

function Pages({ page, pages, onPage }: { page: number; pages: number; onPage: (page: number) => void }) {
  return (
    <nav aria-label="Pages of rows" className="flex items-center justify-between gap-4">
      <span>
        Page {page + 1} of {pages}
      </span>
      <span className="flex gap-2">
        <Button
          size="sm"
          onClick={() => onPage(page - 1)}
          {...(page === 0 && { disabledReason: 'This is the first page.' })}
        >
          Previous
        </Button>
        <Button
          size="sm"
          onClick={() => onPage(page + 1)}
          {...(page === pages - 1 && { disabledReason: 'This is the last page.' })}
        >
          Next
        </Button>
      </span>
    </nav>
  )
}
