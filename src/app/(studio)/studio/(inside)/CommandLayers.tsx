'use client'

import { CommandPalette } from '#ui/overlay/CommandPalette'
import { Dialog } from '#ui/overlay/Dialog'
import { ShortcutSheet } from '#ui/overlay/ShortcutSheet'
import { allSections } from '../../nav-sections'
import { commandGroups } from './command-groups'
import type { CommandActions } from './Commands'
import type { ShellFacts, ShellProject } from './shell'

export type Layer = 'palette' | 'help'

interface LayersProps {
  facts: ShellFacts
  project: ShellProject | undefined
  commands: CommandActions
  shown: Layer | undefined
  onClose: () => void
}

/** What lies over a page when it is asked for from the keyboard or the topbar. */
export function CommandLayers({ facts, project, commands, shown, onClose }: LayersProps) {
  const close = (open: boolean) => !open && onClose()
  return (
    <>
      <CommandPalette
        open={shown === 'palette'}
        onOpenChange={close}
        groups={commandGroups(facts, project, commands)}
      />
      <Dialog title="Keyboard shortcuts" size="lg" open={shown === 'help'} onOpenChange={close}>
        <ShortcutSheet groups={shortcutGroups} />
      </Dialog>
    </>
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
  { label: 'Go to', shortcuts: allSections.map(({ key, label }) => ({ keys: `g ${key}`, does: label })) },
]
