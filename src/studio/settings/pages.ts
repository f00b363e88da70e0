import {
  BookOpenText,
  Bot,
  CalendarX,
  ChartNoAxesCombined,
  FileInput,
  FileOutput,
  Filter,
  KeyRound,
  type LucideIcon,
  Mail,
  ScrollText,
  ServerCog,
  SlidersHorizontal,
  Users,
} from 'lucide-react'
import { paths } from '#studio/paths'

interface SettingsPage {
  label: string
  icon: LucideIcon
  path: (slug: string) => string
  /** Other words that the palette finds the page by. */
  keywords: string
}

export const settingsPages: readonly SettingsPage[] = [
  {
    label: 'General',
    icon: SlidersHorizontal,
    path: paths.settings,
    keywords: 'name url slug address time zone timezone archive restore',
  },
  {
    label: 'Analytics',
    icon: ChartNoAxesCombined,
    path: paths.analyticsSettings,
    keywords: 'internal test users accounts currency time zone timezone week start monday sunday',
  },
  {
    label: 'Events',
    icon: BookOpenText,
    path: (slug) => paths.catalogue(slug),
    keywords: 'catalogue properties definitions describe verify hide schema data management',
  },
  {
    label: 'Collection',
    icon: Filter,
    path: paths.collection,
    keywords: 'blocked ips shields hosts aliases bots robots dnt gpc privacy block',
  },
  {
    label: 'Data retention',
    icon: CalendarX,
    path: paths.retention,
    keywords: 'delete expire old events days keep gdpr',
  },
  {
    label: 'Import',
    icon: FileInput,
    path: paths.imports,
    keywords: 'history upload migrate switch posthog plausible umami matomo mixpanel amplitude undo',
  },
  {
    label: 'Export',
    icon: FileOutput,
    path: paths.exports,
    keywords: 'download csv json parquet events sessions data',
  },
  { label: 'Members', icon: Users, path: paths.members, keywords: 'people invite role invitation leave' },
  {
    label: 'Agents',
    icon: Bot,
    path: paths.agents,
    keywords: 'assistants mcp oauth claude connect revoke switch off',
  },
  { label: 'Keys', icon: KeyRound, path: paths.keys, keywords: 'secret api token scope' },
  {
    label: 'Audit log',
    icon: ScrollText,
    path: (slug) => paths.audit(slug),
    keywords: 'history changes who',
  },
  {
    label: 'E-mail',
    icon: Mail,
    path: paths.mailServer,
    keywords: 'email mail server smtp sender test password',
  },
  { label: 'System', icon: ServerCog, path: paths.system, keywords: 'health version engine uptime backups' },
]
