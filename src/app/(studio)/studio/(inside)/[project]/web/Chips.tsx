'use client'

import { ChevronDown, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { wordsOf } from '#insights/text/dimension-words'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { Menu } from '#ui/overlay/Menu'
import { paths } from '#app/paths'
import { type Chip, searchOf, withNegation, type WebQuestion, withoutChip } from './question'
import { SaveSegment, type SegmentContext } from './SaveSegment'
import { SegmentMenu } from './SegmentMenu'
import { valueLabel } from './values'

/** What the page is narrowed to, and the ways to change that. */
export function Chips({ question, slug, ...segmentContext }: SegmentContext) {
  const { chips, segment } = question
  const to = (changed: WebQuestion) => paths.web(slug, searchOf(changed))
  return (
    <search aria-label="Conditions" className="flex flex-wrap items-center gap-2">
      <SegmentMenu slug={slug} question={question} {...segmentContext} />
      {chips.map((chip) => (
        <ChipMenu key={`${chip.dimension} ${chip.isNot}`} chip={chip} question={question} to={to} />
      ))}
      {(chips.length > 0 || segment) && (
        <>
          <LinkButton size="sm" variant="quiet" href={to({ ...question, chips: [], segment: undefined })}>
            Clear
          </LinkButton>
          {chips.length > 0 && <SaveSegment slug={slug} question={question} {...segmentContext} />}
        </>
      )}
    </search>
  )
}

interface ChipProps {
  chip: Chip
  question: WebQuestion
  to: (changed: WebQuestion) => string
}

function ChipMenu({ chip, question, to }: ChipProps) {
  const { dimension, isNot, values } = chip
  const { label } = wordsOf(dimension)
  const said = values.map((value) => valueLabel(dimension, value)).join(' or ')
  return (
    <Menu
      trigger={
        <Button size="sm" iconEnd={<Icon of={ChevronDown} size="sm" className="text-faint" />}>
          <ChipText>
            <span className="text-muted">
              {label} {isNot ? 'is not' : 'is'}
            </span>{' '}
            {said}
          </ChipText>
        </Button>
      }
      entries={[
        {
          kind: 'link',
          label: isNot ? `${label} is …` : `${label} is not …`,
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
