'use client'

import type { RefObject } from 'react'
import { CommandPalette } from '#ui/overlay/CommandPalette'
import { Dialog } from '#ui/overlay/Dialog'
import { ShortcutSheet } from '#ui/overlay/ShortcutSheet'
import { allSections } from './nav-sections'
import { commandGroups, pageCommands } from './command-groups'
import { periodShortcuts } from '#studio/parts/period-keys'
import type { CommandActions } from './Commands'
import { recentThings } from './palette/recent-things'
import { recentGroup, resultGroups } from './palette/result-groups'
import { useNamedThings, useProjectSearch } from './palette/use-project-search'
import type { ShellFacts, ShellProject } from './shell'

export type Layer = 'palette' | 'help'

interface LayersProps {
  facts: ShellFacts
  project: ShellProject | undefined
  commands: CommandActions
  shown: Layer | undefined
  onClose: () => void
  /** The element that had the focus before the layer was opened. */
  returnFocus: RefObject<HTMLElement | null>
}

/** The layers over a page that the keyboard or the topbar opens. */
export function CommandLayers({ facts, project, commands, shown, onClose, returnFocus }: LayersProps) {
  const close = (open: boolean) => !open && onClose()
  return (
    <>
      <ProjectPalette
        key={project?.slug}
        {...{ facts, project, commands, returnFocus }}
        open={shown === 'palette'}
        onOpenChange={close}
      />
      <Dialog title="Keyboard shortcuts" size="lg" open={shown === 'help'} onOpenChange={close}>
        <ShortcutSheet groups={shortcutGroups} />
      </Dialog>
    </>
  )
}

interface PaletteProps {
  facts: ShellFacts
  project: ShellProject | undefined
  commands: CommandActions
  open: boolean
  onOpenChange: (open: boolean) => void
  returnFocus: RefObject<HTMLElement | null>
}

/** The palette with what a project holds. */
function ProjectPalette({ facts, project, commands, open, onOpenChange, returnFocus }: PaletteProps) {
  const slug = project?.slug
  const { results, typed, answered, isTyped, isSearching, notice, search } = useProjectSearch(slug)
  const recent = useNamedThings(slug, open && slug ? recentThings(facts.member.id, slug) : [])

  return (
    <CommandPalette
      open={open}
      returnFocus={returnFocus}
      onOpenChange={(next) => {
        search('')
        onOpenChange(next)
      }}
      groups={[
        ...(isTyped ? [] : recentGroup(slug, recent)),
        ...commandGroups(facts, project, commands),
        ...(open ? pageCommands() : []),
        ...resultGroups(slug, { results, recent, typed, isAnswered: typed === answered }),
      ]}
      placeholder={project ? `Search ${project.name} or jump to…` : undefined}
      onSearch={search}
      searching={isSearching}
      notice={notice}
    />
  )
}

const shortcutGroups = [
  {
    label: 'Anywhere',
    shortcuts: [
      { keys: 'mod+K', does: 'Search or jump to' },
      { keys: '?', does: 'This list' },
      { keys: 'escape', does: 'Close what is open' },
    ],
  },
  { label: 'Date range', shortcuts: periodShortcuts },
  { label: 'Go to', shortcuts: allSections.map(({ key, label }) => ({ keys: `g ${key}`, does: label })) },
]
