'use client'

import { usePathname } from 'next/navigation'
import { useNavigation } from '#ui/navigation/Navigation'
import {
  createContext,
  type ReactNode,
  startTransition,
  use,
  useEffect,
  useState,
  useEffectEvent,
  useRef,
} from 'react'
import { deferred } from '#ui/deferral/deferred'
import { WhenOpened } from '#ui/deferral/WhenOpened'
import { mayLeave } from '#ui/form/leave-requests'
import { hasOwnKeys, useShortcut } from '#ui/keyboard/shortcut'
import { paths } from '#studio/paths'
import { chooseTheme } from './appearance'
import { allSections } from './nav-sections'
import type { Theme } from './theme'
import type { Layer } from './CommandLayers'
import type { ShellFacts, ShellProject } from './shell'

/** The actions that are available on every page. */
export interface CommandActions {
  openPalette: () => void
  openHelp: () => void
  setTheme: (theme: Theme) => void
  signOut: () => void
}

/** Most visits open neither of them. */
const commandLayers = deferred(async () => (await import('./CommandLayers')).CommandLayers)

const CommandsContext = createContext<CommandActions | null>(null)

export function useCommands(): CommandActions {
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
  const [shown, setShown] = useState<Layer>()
  const close = () => setShown(undefined)
  const returnFocus = useRef<HTMLElement>(null)
  const open = (layer: Layer) => {
    const focused = document.activeElement
    if (!shown)
      returnFocus.current = focused instanceof HTMLElement && focused !== document.body ? focused : null
    setShown(layer)
  }
  const commands: CommandActions = {
    openPalette: () => open('palette'),
    openHelp: () => open('help'),
    setTheme,
    signOut,
  }
  useShortcut('mod+K', commands.openPalette)
  useShortcut('?', commands.openHelp)
  useGoShortcuts(project)
  useRecentThings(facts.member.id, project)

  return (
    <CommandsContext value={commands}>
      {children}
      <WhenOpened isOpen={shown !== undefined} load={commandLayers} onFailure={close}>
        {(CommandLayers) => (
          <CommandLayers {...{ facts, project, commands, shown, returnFocus }} onClose={close} />
        )}
      </WhenOpened>
    </CommandsContext>
  )
}

/** The palette lists what was opened last. */
function useRecentThings(member: string, project: ShellProject | undefined) {
  const pathname = usePathname()
  const slug = project?.slug
  useEffect(() => {
    if (slug === undefined) return
    import('./palette/remember-page').then(
      ({ rememberPage }) => rememberPage(member, slug, pathname ?? ''),
      // the list is one thing shorter
      () => {},
    )
  }, [member, slug, pathname])
}

function useGoShortcuts(project: ShellProject | undefined) {
  const router = useNavigation()
  useGoTo((key) => {
    const section = allSections.find((one) => one.key === key)
    const address = section && project && section.path(project.slug)
    if (address && mayLeave(address)) router.push(address)
  })
}

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

/** The second key has to follow within this time. */
const chordTimeoutMs = 1200

/** `g`, then a letter: tells the letter. */
function useGoTo(go: (key: string) => void) {
  const armedAt = useRef(-chordTimeoutMs)

  const listen = useEffectEvent((event: KeyboardEvent) => {
    const { metaKey, ctrlKey, altKey, target } = event
    if (event.defaultPrevented || metaKey || ctrlKey || altKey || hasOwnKeys(target)) return
    if (event.timeStamp - armedAt.current < chordTimeoutMs) {
      armedAt.current = -chordTimeoutMs
      event.preventDefault()
      go(event.key.toLowerCase())
    } else if (event.key === 'g') {
      armedAt.current = event.timeStamp
    }
  })

  useEffect(() => {
    // before shortcuts of one key, which the second key of this one may be
    document.addEventListener('keydown', listen, { capture: true })
    return () => document.removeEventListener('keydown', listen, { capture: true })
  }, [])
}
