import {
  CalendarX,
  Filter,
  KeyRound,
  type LucideIcon,
  ScrollText,
  ServerCog,
  SlidersHorizontal,
  Users,
} from 'lucide-react'
import { paths } from '#app/paths'

interface SettingsPage {
  label: string
  icon: LucideIcon
  path: (slug: string) => string
  /** Other words the palette finds it by. */
  keywords: string
}

export const settingsPages: readonly SettingsPage[] = [
  {
    label: 'General',
    icon: SlidersHorizontal,
    path: paths.settings,
    keywords: 'name address part time zone archive restore',
  },
  {
    label: 'Collection',
    icon: Filter,
    path: paths.collection,
    keywords: 'shields hosts aliases robots dnt gpc privacy block',
  },
  {
    label: 'Data retention',
    icon: CalendarX,
    path: paths.retention,
    keywords: 'delete expire old events days keep gdpr',
  },
  { label: 'Members', icon: Users, path: paths.members, keywords: 'people invite role invitation leave' },
  { label: 'Keys', icon: KeyRound, path: paths.keys, keywords: 'secret api token scope' },
  {
    label: 'Audit log',
    icon: ScrollText,
    path: (slug) => paths.audit(slug),
    keywords: 'history changes who',
  },
  { label: 'System', icon: ServerCog, path: paths.system, keywords: 'health version engine uptime' },
]
