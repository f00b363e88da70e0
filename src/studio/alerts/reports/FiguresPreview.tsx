import type { ReportFigureList, ReportFigures } from '#alerts/report-content'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Panel } from '#ui/page/Panel'
import type { TableColumn } from '#ui/table/column'
import { Table } from '#ui/table/Table'

type PreviewRow = ReportFigureList['rows'][number]

const columnsFor = (label: string, counted: string): TableColumn<PreviewRow>[] => [
  { key: 'label', header: label, truncate: true, cell: (row) => row.label },
  { key: 'value', header: counted, numeric: true, cell: ({ value }) => value },
  { key: 'change', header: 'Change', numeric: true, cell: ({ change }) => change ?? '' },
]

/** What the letter would say if it were written now. */
export function FiguresPreview({
  figures: { period, before, figures, lists, missing },
}: {
  figures: ReportFigures
}) {
  return (
    <Panel title="Preview" description={`${period}, compared with ${before}`} flush>
      {figures.length > 0 && <PreviewTable title="Metric" counted="Value" rows={figures} />}
      {lists.map((list, index) => (
        <PreviewTable key={`${list.title} ${index}`} {...list} />
      ))}
      {missing.map(({ title, why }) => (
        <EmptyMessage key={title} title={`${title} is not available`} body={why} />
      ))}
    </Panel>
  )
}

const PreviewTable = ({ title, counted, rows }: ReportFigureList) => (
  <Table
    caption={title}
    columns={columnsFor(title, counted)}
    rows={rows}
    rowKey={({ label }) => label}
    empty={<EmptyMessage title={title} body="No data in this period." />}
    dense
  />
)
