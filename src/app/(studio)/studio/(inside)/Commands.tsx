'use client'

import { useRouter } from 'next/navigation'
import { createContext, type ReactNode, startTransition, use, useState } from 'react'
import { Dialog } from '../../../../ui/Dialog'
import { CommandPalette } from '../../../../ui/CommandPalette'
import { useShortcut } from '../../../../ui/shortcut'
import { ShortcutSheet } from '../../../../ui/ShortcutSheet'
import { paths } from '../../../paths'
import { chooseTheme } from '../../appearance'
import { allRooms } from '../../rooms'
import type { Theme } from '../../theme'
import { commandGroups } from './command-groups'
import { useGoTo } from './go-to'
import type { ShellFacts, ShellProject } from './shell'

/** What can be done from anywhere. */
export interface CommandsHere {
  openPalette: () => void
  openHelp: () => void
  setTheme: (theme: Theme) => void
  signOut: () => void
}

const CommandsContext = createContext<CommandsHere | null>(null)

export function useCommands(): CommandsHere {
  const commands = use(CommandsContext)
  if (!commands) throw new Error('Commands are known inside the shell only.')
  return commands
}

/** The palette, the shortcuts and the sheet that lists them, around everything that may ask for one of them. */
export function CommandsProvider({
  facts,
  project,
  children,
}: {
  facts: ShellFacts
  project?: ShellProject
  children: ReactNode
}) {
  const [shown, show] = useState<'palette' | 'help'>()
  const close = (open: boolean) => !open && show(undefined)
  const commands: CommandsHere = {
    openPalette: () => show('palette'),
    openHelp: () => show('help'),
    setTheme,
    signOut,
  }
  useShortcut('mod+K', commands.openPalette)
  useShortcut('?', commands.openHelp)
  useGoShortcuts(project)

  return (
    <CommandsContext value={commands}>
      {children}
      <CommandPalette
        open={shown === 'palette'}
        onOpenChange={close}
        groups={commandGroups(facts, project, commands)}
      />
      <Dialog title="Keyboard shortcuts" size="lg" open={shown === 'help'} onOpenChange={close}>
        <ShortcutSheet groups={shortcutGroups} />
      </Dialog>
    </CommandsContext>
  )
}

function useGoShortcuts(project: ShellProject | undefined) {
  const router = useRouter()
  useGoTo((key) => {
    const room = allRooms.find((one) => one.key === key)
    if (room && project) router.push(room.path(project.slug))
  })
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
  { label: 'Go to', shortcuts: allRooms.map(({ key, label }) => ({ keys: `g ${key}`, does: label })) },
]

/** Shown at once; the cookie, and with it the next page, follows. */
function setTheme(theme: Theme) {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset.theme
  else dataset.theme = theme
  startTransition(() => chooseTheme(theme))
}

/** By a form, so that a new document is loaded and nothing of this one stays in memory. */
function signOut() {
  const form = document.createElement('form')
  form.method = 'post'
  form.enctype = 'multipart/form-data'
  form.action = paths.signOut
  document.body.append(form)
  form.submit()
}
