import type { Picture, Trial, TrialVariant } from '#posts/post'
import type { TrialFigures } from '#posts/numbers'
import { Badge } from '#ui/Badge'
import type { TableColumn } from '#ui/table/column'
import { number, percent } from '#ui/format'
import { Table } from '#ui/table/Table'
import { Thumbnail } from '../Thumbnail'

export interface HeadlineLook {
  title: string
  excerpt: string
  cover: Picture | undefined
}

interface HeadlineVariantRow {
  variant: TrialVariant
  original: HeadlineLook
  isWinner: boolean
  counts: TrialFigures['variants'][number] | undefined
}

interface VariantTableProps {
  original: HeadlineLook
  trial: Trial
  figures: TrialFigures | undefined
}

export function VariantTable({ original, trial, figures }: VariantTableProps) {
  const winner = trial.state.name === 'won' ? trial.state.winner : undefined
  return (
    <Table
      caption="Variants"
      columns={columns}
      rows={trial.variants.map((variant) => ({
        variant,
        original,
        isWinner: variant.key === winner,
        counts: figures?.variants.find((one) => one.variant === variant.key),
      }))}
      rowKey={({ variant }) => variant.key}
      empty={null}
    />
  )
}

const columns: TableColumn<HeadlineVariantRow>[] = [
  { key: 'variant', header: 'Variant', truncate: true, cell: (row) => <VariantText {...row} /> },
  { key: 'shown', header: 'Shown to', numeric: true, cell: ({ counts }) => formatCount(counts?.shown) },
  {
    key: 'clicks',
    header: 'Opened',
    numeric: true,
    cell: ({ counts }) => share(counts?.clicks, counts?.shown),
  },
  {
    key: 'reads',
    header: 'Read',
    numeric: true,
    cell: ({ counts }) => share(counts?.reads, counts?.shown),
  },
]

const formatCount = (count: number | undefined): string => (count === undefined ? '–' : number(count))

const share = (count = 0, of = 0): string => (of === 0 ? '–' : percent(count / of, 1))

function VariantText({ variant: { key, title, excerpt, cover }, original, isWinner }: HeadlineVariantRow) {
  const shown = cover ?? original.cover
  return (
    <span className="flex min-w-0 items-center gap-2.5 py-1">
      <Badge tone={isWinner ? 'success' : 'neutral'}>{key.toUpperCase()}</Badge>
      {shown && (
        <Thumbnail
          address={shown.address}
          className="h-8 w-12 shrink-0 rounded-xs object-cover max-sm:hidden"
        />
      )}
      <span className="min-w-0">
        <span className="block truncate" title={title ?? original.title}>
          {title ?? original.title}
        </span>
        {excerpt !== undefined && (
          <span className="block truncate text-xs font-normal text-muted" title={excerpt}>
            {excerpt}
          </span>
        )}
      </span>
    </span>
  )
}
