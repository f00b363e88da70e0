'use client'

import { ChevronDown, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { valueName } from '#events/value-names'
import { dimensionOperators, wordsOf } from '#insights/text/dimension-words'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { Menu } from '#ui/overlay/Menu'
import { paths } from '#studio/paths'
import { FilterDialog } from './FilterDialog'
import { type Chip, searchOf, withNegation, type WebQuestion, withoutChip } from './question'
import { SaveSegment, type SegmentContext } from './SaveSegment'
import { SegmentMenu } from './SegmentMenu'

/** What the page is narrowed to, and the ways to change that. */
export function Chips({ question, slug, ...segmentContext }: SegmentContext) {
  const { chips, segment } = question
  const [editing, setEditing] = useState<{ chip?: Chip }>()
  const to = (changed: WebQuestion) => paths.web(slug, searchOf(changed))
  return (
    <search aria-label="Filters" className="flex flex-wrap items-center gap-2">
      <SegmentMenu slug={slug} question={question} {...segmentContext} />
      {chips.map((chip) => (
        <ChipMenu
          key={`${chip.dimension} ${chip.operator}`}
          chip={chip}
          question={question}
          to={to}
          onEdit={() => setEditing({ chip })}
        />
      ))}
      <Button size="sm" variant="quiet" onClick={() => setEditing({})}>
        Add filter…
      </Button>
      {(chips.length > 0 || segment) && (
        <>
          <LinkButton size="sm" variant="quiet" href={to({ ...question, chips: [], segment: undefined })}>
            Clear
          </LinkButton>
          {chips.length > 0 && <SaveSegment slug={slug} question={question} {...segmentContext} />}
        </>
      )}
      <FilterDialog
        slug={slug}
        question={question}
        editing={editing}
        close={() => setEditing(undefined)}
        to={to}
      />
    </search>
  )
}

interface ChipProps {
  chip: Chip
  question: WebQuestion
  to: (changed: WebQuestion) => string
  onEdit: () => void
}

function ChipMenu({ chip, question, to, onEdit }: ChipProps) {
  const { dimension, operator, values } = chip
  const { label } = wordsOf(dimension)
  const { label: operatorLabel, opposite } = dimensionOperators[operator]
  const said = values.map((value) => valueName(dimension, value)).join(' or ')
  return (
    <Menu
      trigger={
        <Button size="sm" iconEnd={<Icon of={ChevronDown} size="sm" className="text-faint" />}>
          <ChipText>
            <span className="text-muted">
              {label} {operatorLabel}
            </span>{' '}
            {said}
          </ChipText>
        </Button>
      }
      entries={[
        { label: 'Edit…', onSelect: onEdit },
        {
          kind: 'link',
          label: `${label} ${dimensionOperators[opposite].label} …`,
          href: to(withNegation(question, chip)),
        },
        { kind: 'separator' },
        { kind: 'link', label: 'Remove', icon: <Icon of={X} />, href: to(withoutChip(question, chip)) },
      ]}
    />
  )
}

const ChipText = ({ children }: { children: ReactNode }) => (
  <bdi className="max-w-64 truncate">{children}</bdi>
)
