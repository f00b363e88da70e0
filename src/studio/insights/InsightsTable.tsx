'use client'

import type { ReactNode } from 'react'
import { Badge } from '#ui/Badge'
import type { TableColumn } from '#ui/table/column'
import { Icon } from '#ui/Icon'
import { Table } from '#ui/table/Table'
import { paths } from '#studio/paths'
import { type Clock, RelativeTime } from '#studio/parts/RelativeTime'
import { Favourite } from './Favourite'
import { InsightMenu } from './InsightMenu'
import { labelsFor } from './kinds'
import type { SavingChoices } from './saving-choices'

interface InsightRow {
  id: string
  name: string
  description: string
  kind: string
  kindLabel: string
  /** The query in the format of addresses. */
  q: string
  folder: string
  tags: string[]
  changedBy: string
  changedAt: Date
  viewedAt?: Date | undefined
  archivedAt?: Date | undefined
  isFavourite: boolean
}

interface InsightsTableContext {
  slug: string
  clock: Clock
  whyNot?: string
  /** Not where all are of one folder. */
  hasFolders: boolean
  choices: SavingChoices
}

const columnsFor = ({ clock, hasFolders }: InsightsTableContext): TableColumn<InsightRow>[] => [
  { key: 'name', header: 'Insight', cell: (insight) => <Name insight={insight} hasFolders={hasFolders} /> },
  { key: 'kind', header: 'Type', width: '8rem', wideOnly: true, cell: ({ kindLabel }) => kindLabel },
  {
    key: 'changed',
    header: 'Changed',
    width: '10rem',
    wideOnly: true,
    cell: ({ changedAt, changedBy }) => (
      <>
        <RelativeTime at={changedAt} clock={clock} />
        <span className="block max-w-36 truncate text-xs text-muted">by {changedBy}</span>
      </>
    ),
  },
  {
    key: 'viewed',
    header: 'Last viewed',
    width: '9rem',
    wideOnly: true,
    cell: ({ viewedAt }) =>
      viewedAt ? <RelativeTime at={viewedAt} clock={clock} /> : <span className="text-muted">Never</span>,
  },
]

const actionsFor =
  ({ slug, whyNot, choices }: InsightsTableContext) =>
  (insight: InsightRow) => (
    <>
      <Favourite slug={slug} insight={insight} />
      <InsightMenu slug={slug} insight={insight} whyNot={whyNot} choices={choices} />
    </>
  )

export function InsightsTable({
  insights,
  empty,
  ...context
}: InsightsTableContext & { insights: readonly InsightRow[]; empty: ReactNode }) {
  const { slug } = context
  return (
    <Table
      caption="Insights"
      columns={columnsFor(context)}
      rows={insights}
      rowKey={({ id }) => id}
      rowHref={({ id }) => paths.insight(slug, id)}
      empty={empty}
      actions={actionsFor(context)}
    />
  )
}

function Name({ insight, hasFolders }: { insight: InsightRow; hasFolders: boolean }) {
  const { name, description, kind, folder, tags } = insight
  return (
    <span className="flex items-start gap-2.5 py-0.5">
      <Icon of={labelsFor(kind).icon} className="mt-0.5 text-faint" />
      <span className="min-w-0">
        <span className="flex flex-wrap items-center gap-1.5 font-medium">
          <bdi className="max-w-80 truncate">{name}</bdi>
          {hasFolders && folder && <Badge>{folder}</Badge>}
          {tags.map((tag) => (
            <Badge key={tag} tone="info">
              {tag}
            </Badge>
          ))}
        </span>
        {description && <span className="block max-w-96 truncate text-xs text-muted">{description}</span>}
      </span>
    </span>
  )
}
