import {
  FolderClosed,
  Keyboard,
  LogOut,
  type LucideIcon,
  Monitor,
  Moon,
  Plus,
  Sun,
  UserRound,
} from 'lucide-react'
import type { PaletteCommand, CommandGroup } from '#ui/overlay/CommandPalette'
import { Icon } from '#ui/Icon'
import { paths } from '#app/paths'
import { allSections } from '../../nav-sections'
import type { CommandActions } from './Commands'
import { settingsPages } from './[project]/settings/pages'
import type { ShellFacts, ShellProject } from './shell'

/** Everything the palette knows, nearest first. */
export function commandGroups(
  facts: ShellFacts,
  project: ShellProject | undefined,
  commands: CommandActions,
): CommandGroup[] {
  const groups = [
    { label: 'Go to', commands: project ? goTo(project) : [] },
    { label: 'Projects', commands: switchTo(facts, project) },
    { label: 'Theme', commands: themes(commands) },
    { label: 'You', commands: accountCommands(commands) },
  ]
  return groups.filter((group) => group.commands.length > 0)
}

const icon = (of: LucideIcon) => <Icon of={of} />

const goTo = ({ slug }: ShellProject): PaletteCommand[] => [
  ...allSections.map(({ key, label, icon: sign, path }) => ({
    id: `room ${key}`,
    label,
    icon: icon(sign),
    shortcut: `g ${key}`,
    href: path(slug),
  })),
  ...settingsPages.map(({ label, icon: sign, path, keywords }) => ({
    id: `settings ${label}`,
    label,
    icon: icon(sign),
    hint: 'Settings',
    keywords,
    href: path(slug),
  })),
]

const switchTo = (
  { projects, mayCreate }: ShellFacts,
  current: ShellProject | undefined,
): PaletteCommand[] => [
  ...projects
    .filter(({ slug }) => slug !== current?.slug)
    .map(({ slug, name, isArchived }) => ({
      id: `project ${slug}`,
      label: name,
      icon: icon(FolderClosed),
      hint: isArchived ? 'Archived project' : 'Project',
      keywords: `switch ${slug}`,
      href: paths.project(slug),
    })),
  ...(mayCreate
    ? [
        {
          id: 'new project',
          label: 'New project',
          icon: icon(Plus),
          keywords: 'create add',
          href: paths.newProject,
        },
      ]
    : []),
]

const themes = ({ setTheme }: CommandActions): PaletteCommand[] => [
  {
    id: 'light',
    label: 'Light theme',
    icon: icon(Sun),
    keywords: 'appearance',
    onSelect: () => setTheme('light'),
  },
  {
    id: 'dark',
    label: 'Dark theme',
    icon: icon(Moon),
    keywords: 'appearance',
    onSelect: () => setTheme('dark'),
  },
  {
    id: 'system',
    label: 'Theme as the system',
    icon: icon(Monitor),
    keywords: 'appearance auto',
    onSelect: () => setTheme('system'),
  },
]

const accountCommands = ({ openHelp, signOut }: CommandActions): PaletteCommand[] => [
  {
    id: 'account',
    label: 'Your account',
    icon: icon(UserRound),
    keywords: 'name e-mail password sessions appearance profile',
    href: paths.account,
  },
  {
    id: 'help',
    label: 'Keyboard shortcuts',
    icon: icon(Keyboard),
    shortcut: '?',
    keywords: 'help',
    onSelect: openHelp,
  },
  { id: 'sign out', label: 'Sign out', icon: icon(LogOut), keywords: 'log out leave', onSelect: signOut },
]
