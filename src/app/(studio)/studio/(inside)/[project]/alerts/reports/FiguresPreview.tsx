import type { FigureList, ReportFigures } from '../../../../../../../alerts/figures'
import { EmptyMessage } from '../../../../../../../ui/EmptyMessage'
import { Panel } from '../../../../../../../ui/Panel'
import type { Column } from '../../../../../../../ui/column'
import { Table } from '../../../../../../../ui/Table'

type Row = FigureList['rows'][number]

const columnsFor = (label: string, counted: string): Column<Row>[] => [
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
    <Panel title="If it were written now" description={`${period}, beside ${before}`} flush>
      {figures.length > 0 && <Rows title="Figure" counted="Value" rows={figures} />}
      {lists.map((list, place) => (
        <Rows key={`${list.title} ${place}`} {...list} />
      ))}
      {missing.map(({ title, why }) => (
        <EmptyMessage key={title} title={`${title} cannot be told`} body={why} />
      ))}
    </Panel>
  )
}

const Rows = ({ title, counted, rows }: FigureList) => (
  <Table
    caption={title}
    columns={columnsFor(title, counted)}
    rows={rows}
    rowKey={({ label }) => label}
    empty={<EmptyMessage title={title} body="Nothing in this period." />}
    dense
  />
)
