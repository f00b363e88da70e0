'use client'

import { ChevronDown, X, ListFilter } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { valueName } from '#events/value-names'
import { dimensionOperators, wordsOf } from '#insights/text/dimension-words'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { Menu, type MenuEntry } from '#ui/overlay/Menu'
import { paths } from '#studio/paths'
import { Checkbox } from '#ui/form/Checkbox'
import { Field } from '#ui/form/Field'
import { TextInput } from '#ui/form/TextInput'
import { ChangeDialog } from '#studio/parts/ChangeDialog'
import { FilterDialog } from './FilterDialog'
import { type Chip, searchOf, withNegation, type WebQuery, withoutChip } from './web-query'
import { saveSegment } from './changes'

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
      <Button size="sm" variant="quiet" onClick={() => setEditing({})}>
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
      <FilterDialog slug={slug} query={query} editing={editing} close={() => setEditing(undefined)} to={to} />
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
  return (
    <ChangeDialog
      title="Save as segment"
      size="sm"
      change={(formData) => saveSegment(slug, query.chips, query.segment, formData)}
      saved="Segment saved"
      open={isOpen}
      onOpen={() => setOpen(true)}
      onClose={() => setOpen(false)}
      trigger={
        <Button size="sm" variant="quiet" disabledReason={whyNot}>
          Save as segment…
        </Button>
      }
      submit="Save segment"
    >
      <Field label="Name" name="name" hint="Such as “Mobile in Germany”.">
        <TextInput autoComplete="off" defaultValue={savesSegment ? segmentName(query) : undefined} />
      </Field>
      <Checkbox label="Share with the project" name="isShared" defaultChecked />
    </ChangeDialog>
  )
}

/** Suggests a name: the values of the filters. */
const segmentName = ({ chips }: WebQuery): string =>
  chips
    .map(({ dimension, values }) => values.map((value) => valueName(dimension, value)).join(' or '))
    .join(', ')
    .slice(0, 80)
