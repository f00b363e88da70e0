'use client'

import { ChevronDown, X, ListFilter } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { valueName } from '#events/value-names'
import { dimensionOperators, wordsOf } from '#insights/text/dimension-words'
import { Button } from '#ui/Button'
import { deferred, nearnessOf } from '#ui/deferral/deferred'
import { WhenOpened } from '#ui/deferral/WhenOpened'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { Menu, type MenuEntry } from '#ui/overlay/Menu'
import { paths } from '#studio/paths'
import { type Chip, searchOf, withNegation, type WebQuery, withoutChip } from './web-query'

const filterDialog = deferred(async () => (await import('./FilterDialog')).FilterDialog)
const segmentDialog = deferred(async () => (await import('./SegmentDialog')).SegmentDialog)

/** The filters of the page, and the controls that change them. */
export function Chips({ query, slug, ...segmentContext }: SegmentContext) {
  const { chips, segment } = query
  const [editing, setEditing] = useState<{ chip?: Chip }>()
  const to = (changed: WebQuery) => paths.web(slug, searchOf(changed))
  return (
    <search aria-label="Filters" className="flex flex-wrap items-center gap-2">
      <SegmentMenu slug={slug} query={query} {...segmentContext} />
      {chips.map((chip) => (
        <ChipMenu
          key={`${chip.dimension} ${chip.operator}`}
          chip={chip}
          query={query}
          to={to}
          onEdit={() => setEditing({ chip })}
        />
      ))}
      <Button size="sm" variant="quiet" onClick={() => setEditing({})} {...nearnessOf(filterDialog)}>
        Add filter…
      </Button>
      {(chips.length > 0 || segment) && (
        <>
          <LinkButton size="sm" variant="quiet" href={to({ ...query, chips: [], segment: undefined })}>
            Clear
          </LinkButton>
          {chips.length > 0 && <SaveSegment slug={slug} query={query} {...segmentContext} />}
        </>
      )}
      <WhenOpened isOpen={editing !== undefined} load={filterDialog} onFailure={() => setEditing(undefined)}>
        {(FilterDialog) => (
          <FilterDialog {...{ slug, query, editing, to }} close={() => setEditing(undefined)} />
        )}
      </WhenOpened>
    </search>
  )
}

interface ChipProps {
  chip: Chip
  query: WebQuery
  to: (changed: WebQuery) => string
  onEdit: () => void
}

function ChipMenu({ chip, query, to, onEdit }: ChipProps) {
  const { dimension, operator, values } = chip
  const { label } = wordsOf(dimension)
  const { label: operatorLabel, opposite } = dimensionOperators[operator]
  const labels = values.map((value) => valueName(dimension, value)).join(' or ')
  return (
    <Menu
      trigger={
        <Button size="sm" iconEnd={<Icon of={ChevronDown} size="sm" className="text-faint" />}>
          <ChipText>
            <span className="text-muted">
              {label} {operatorLabel}
            </span>{' '}
            {labels}
          </ChipText>
        </Button>
      }
      entries={[
        { label: 'Edit…', onSelect: onEdit },
        {
          kind: 'link',
          label: `${label} ${dimensionOperators[opposite].label} …`,
          href: to(withNegation(query, chip)),
        },
        { kind: 'separator' },
        { kind: 'link', label: 'Remove', icon: <Icon of={X} />, href: to(withoutChip(query, chip)) },
      ]}
    />
  )
}

const ChipText = ({ children }: { children: ReactNode }) => (
  <bdi className="max-w-64 truncate">{children}</bdi>
)

/** The saved segments: those of the project, and the member's own. */
function SegmentMenu({ slug, query, segments }: SegmentContext) {
  const chosen = segments.find(({ id }) => id === query.segment)
  const link = (id: string | undefined, label: string): MenuEntry => ({
    kind: 'link',
    label,
    href: paths.web(slug, searchOf({ ...query, segment: id })),
  })
  const group = (label: string, isShared: boolean): MenuEntry[] => {
    const shown = segments.filter((segment) => segment.isShared === isShared)
    return shown.length > 0
      ? [{ kind: 'group', label, entries: shown.map(({ id, name }) => link(id, name)) }]
      : []
  }
  return (
    <Menu
      trigger={
        <Button
          size="sm"
          icon={<Icon of={ListFilter} className="text-faint" />}
          iconEnd={<Icon of={ChevronDown} size="sm" className="text-faint" />}
        >
          {chosen ? <bdi className="max-w-48 truncate">{chosen.name}</bdi> : 'All visitors'}
        </Button>
      }
      entries={[
        link(undefined, 'All visitors'),
        ...group('Project segments', true),
        ...group('Your segments', false),
        { kind: 'separator' },
        { kind: 'link', label: 'Manage segments', href: paths.webView(slug, 'goals', searchOf(query)) },
      ]}
    />
  )
}

interface SegmentContext {
  slug: string
  query: WebQuery
  segments: readonly { id: string; name: string; isShared: boolean }[]
  /** Whether the form of a new segment is open at first. */
  savesSegment?: boolean
  /** Why nothing can be saved; undefined when it can. */
  whyNot: string | undefined
}

/** Keeps what the page is narrowed to, under a name. */
function SaveSegment({ slug, query, savesSegment = false, whyNot }: Omit<SegmentContext, 'segments'>) {
  const [isOpen, setOpen] = useState(savesSegment && whyNot === undefined)
  const close = () => setOpen(false)
  return (
    <>
      <Button
        size="sm"
        variant="quiet"
        aria-haspopup="dialog"
        disabledReason={whyNot}
        onClick={() => setOpen(true)}
        {...nearnessOf(segmentDialog)}
      >
        Save as segment…
      </Button>
      <WhenOpened isOpen={isOpen} load={segmentDialog} onFailure={close}>
        {(SegmentDialog) => (
          <SegmentDialog
            slug={slug}
            query={query}
            suggestsName={savesSegment}
            isOpen={isOpen}
            close={close}
          />
        )}
      </WhenOpened>
    </>
  )
}
