'use client'

import { Star } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge } from '../../../../../../ui/Badge'
import type { Column } from '../../../../../../ui/column'
import { Icon } from '../../../../../../ui/Icon'
import { IconButton } from '../../../../../../ui/IconButton'
import { Table } from '../../../../../../ui/Table'
import { useToast } from '../../../../../../ui/Toast'
import { paths } from '../../../../../paths'
import { useDirectChange } from '../../../../Change'
import { favourInsight } from '../../../../insights/changes'
import { InsightMenu } from '../../../../insights/InsightMenu'
import { wordsFor } from '../../../../insights/kinds'
import { type Clock, When } from '../../../../When'

interface InsightRow {
  id: string
  name: string
  description: string
  kind: string
  kindLabel: string
  /** The question, as it stands in addresses. */
  q: string
  folder: string
  tags: string[]
  changedBy: string
  changedAt: Date
  viewedAt: Date | undefined
  archivedAt: Date | undefined
  isFavourite: boolean
}

interface InsightsGround {
  slug: string
  clock: Clock
  whyNot?: string
  /** Not where all are of one folder. */
  hasFolders: boolean
  /** Where an insight can be put. */
  shelves: { folders: string[]; tags: string[] }
}

const columnsFor = ({ clock, hasFolders }: InsightsGround): Column<InsightRow>[] => [
  { key: 'name', header: 'Insight', cell: (insight) => <Name insight={insight} hasFolders={hasFolders} /> },
  { key: 'kind', header: 'Kind', width: '8rem', wideOnly: true, cell: ({ kindLabel }) => kindLabel },
  {
    key: 'changed',
    header: 'Changed',
    width: '10rem',
    wideOnly: true,
    cell: ({ changedAt, changedBy }) => (
      <>
        <When at={changedAt} clock={clock} />
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
      viewedAt ? <When at={viewedAt} clock={clock} /> : <span className="text-muted">Never</span>,
  },
]

const actionsFor =
  ({ slug, whyNot, shelves }: InsightsGround) =>
  (insight: InsightRow) => (
    <>
      <Favourite slug={slug} insight={insight} />
      <InsightMenu slug={slug} insight={insight} whyNot={whyNot} {...shelves} />
    </>
  )

export function InsightsTable({
  insights,
  empty,
  ...ground
}: InsightsGround & { insights: readonly InsightRow[]; empty: ReactNode }) {
  const { slug } = ground
  return (
    <Table
      caption="Insights"
      columns={columnsFor(ground)}
      rows={insights}
      rowKey={({ id }) => id}
      rowHref={({ id }) => paths.insight(slug, id)}
      empty={empty}
      actions={actionsFor(ground)}
    />
  )
}

function Name({ insight, hasFolders }: { insight: InsightRow; hasFolders: boolean }) {
  const { name, description, kind, folder, tags } = insight
  return (
    <span className="flex items-start gap-2.5 py-0.5">
      <Icon of={wordsFor(kind).icon} className="mt-0.5 text-faint" />
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

export function Favourite({
  slug,
  insight: { id, name, isFavourite },
}: {
  slug: string
  insight: Pick<InsightRow, 'id' | 'name' | 'isFavourite'>
}) {
  const say = useToast()
  const { make } = useDirectChange()
  async function toggle() {
    const failed = await make(() => favourInsight(slug, id, !isFavourite), {})
    if (failed) say({ title: failed.error, tone: 'danger' })
  }
  return (
    <IconButton
      label={isFavourite ? `${name} is a favourite` : `Make ${name} a favourite`}
      aria-pressed={isFavourite}
      icon={<Icon of={Star} className={isFavourite ? 'fill-current text-accent' : ''} />}
      onClick={() => void toggle()}
    />
  )
}
