'use client'

import { ChevronDown, ListFilter } from 'lucide-react'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { Menu, type MenuEntry } from '#ui/overlay/Menu'
import { paths } from '#studio/paths'
import { searchOf } from './question'
import type { SegmentContext } from './SaveSegment'

/** The saved segments: those of the project, and the member's own. */
export function SegmentMenu({ slug, question, segments }: SegmentContext) {
  const chosen = segments.find(({ id }) => id === question.segment)
  const link = (id: string | undefined, label: string): MenuEntry => ({
    kind: 'link',
    label,
    href: paths.web(slug, searchOf({ ...question, segment: id })),
  })
  const group = (label: string, isShared: boolean): MenuEntry[] => {
    const those = segments.filter((segment) => segment.isShared === isShared)
    return those.length > 0
      ? [{ kind: 'group', label, entries: those.map(({ id, name }) => link(id, name)) }]
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
        { kind: 'link', label: 'Manage segments', href: paths.webView(slug, 'goals', searchOf(question)) },
      ]}
    />
  )
}
