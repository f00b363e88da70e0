import {
  FolderClosed,
  Keyboard,
  LogOut,
  type LucideIcon,
  Monitor,
  Moon,
  PanelTop,
  Plus,
  Share2,
  Sun,
  UserRound,
} from 'lucide-react'
import type { PaletteCommand, CommandGroup } from '#ui/overlay/CommandPalette'
import { Icon } from '#ui/Icon'
import { type Right, roleCovers } from '#projects/access'
import { paths } from '#studio/paths'
import { settingsPages } from '#studio/settings/pages'
import { allSections } from './nav-sections'
import { tabPages } from './tab-pages'
import type { CommandActions } from './Commands'
import type { ShellFacts, ShellProject } from './shell'

/** The commands of the palette, nearest first. */
export function commandGroups(
  facts: ShellFacts,
  project: ShellProject | undefined,
  commands: CommandActions,
): CommandGroup[] {
  const groups = [
    { label: 'Go to', commands: project ? goTo(project) : [] },
    { label: 'Create', commands: project ? createCommands(project) : [] },
    { label: 'Projects', commands: switchTo(facts, project) },
    { label: 'Theme', commands: themes(commands) },
    { label: 'You', commands: accountCommands(commands) },
  ]
  return groups.filter((group) => group.commands.length > 0)
}

const icon = (of: LucideIcon) => <Icon of={of} />

/** Commands for the page behind the palette. */
export function pageCommands(): CommandGroup[] {
  const share = document.querySelector<HTMLElement>('[data-share-page]:not([aria-disabled="true"])')
  if (!share) return []
  // once the palette has given the focus back
  const open = () => setTimeout(() => share.click())
  const keywords = 'link public embed'
  return [
    {
      label: 'This page',
      commands: [{ id: 'share', label: 'Share this page', icon: icon(Share2), keywords, onSelect: open }],
    },
  ]
}

const goTo = ({ slug }: ShellProject): PaletteCommand[] => [
  ...allSections.map(({ key, label, icon: sign, path }) => ({
    id: `section ${key}`,
    label,
    icon: icon(sign),
    shortcut: `g ${key}`,
    href: path(slug),
  })),
  ...tabPages.map(({ label, section, path }) => ({
    id: `tab ${label}`,
    label,
    icon: icon(PanelTop),
    hint: section,
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

interface CreateCommand {
  label: string
  keywords: string
  right: Right
  path: (slug: string) => string
}

const creations: readonly CreateCommand[] = [
  {
    label: 'New insight',
    keywords: 'trend funnel retention chart question',
    right: 'insights:write',
    path: (slug) => paths.newInsight(slug),
  },
  {
    label: 'New dashboard',
    keywords: 'page cards',
    right: 'insights:write',
    path: (slug) => paths.dashboards(slug, { create: 'yes' }),
  },
  {
    label: 'New flag',
    keywords: 'feature switch rollout',
    right: 'flags:write',
    path: (slug) => paths.newFlag(slug),
  },
  {
    label: 'New experiment',
    keywords: 'a/b test',
    right: 'experiments:write',
    path: (slug) => paths.newExperiment(slug),
  },
  { label: 'New survey', keywords: 'nps questions', right: 'surveys:write', path: paths.newSurvey },
  { label: 'New cohort', keywords: 'people group segment', right: 'insights:write', path: paths.newCohort },
  {
    label: 'New alert',
    keywords: 'notify threshold',
    right: 'alerts:write',
    path: (slug) => paths.newAlert(slug),
  },
  {
    label: 'New report',
    keywords: 'e-mail weekly',
    right: 'alerts:write',
    path: (slug) => paths.newReport(slug),
  },
  {
    label: 'New post',
    keywords: 'blog article write',
    right: 'posts:write',
    path: (slug) => paths.newPost(slug),
  },
  {
    label: 'New page',
    keywords: 'site write',
    right: 'posts:write',
    path: (slug) => paths.newPost(slug, { kind: 'page' }),
  },
  {
    label: 'Invite member',
    keywords: 'new person team colleague role',
    right: 'members:write',
    path: (slug) => paths.members(slug, { invite: 'yes' }),
  },
]

/** The entries that the member's role may create. An archived project takes no new ones. */
const createCommands = ({ slug, role, isArchived }: ShellProject): PaletteCommand[] =>
  creations
    .filter(({ right }) => !isArchived && role !== undefined && roleCovers(role, right))
    .map(({ label, keywords, path }) => ({
      id: `create ${label}`,
      label,
      icon: icon(Plus),
      keywords: `create add ${keywords}`,
      href: path(slug),
    }))

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
    label: 'System theme',
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
