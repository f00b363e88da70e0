import {
  BellRing,
  ChartColumn,
  ChartSpline,
  FlaskConical,
  Flag,
  House,
  LayoutDashboard,
  type LucideIcon,
  MessageSquareText,
  Newspaper,
  Plug,
  Radio,
  Settings,
  SquareTerminal,
  UsersRound,
} from 'lucide-react'
import { paths } from '../paths'

/** A place in a project, reached from the sidebar, the palette, and by `g` and a letter. */
interface NavSection {
  label: string
  icon: LucideIcon
  key: string
  path: (slug: string) => string
}

interface NavGroup {
  label?: string
  sections: readonly NavSection[]
}

export const home: NavSection = { label: 'Home', icon: House, key: 'h', path: paths.project }
const web: NavSection = {
  label: 'Web analytics',
  icon: ChartColumn,
  key: 'w',
  path: (slug) => paths.web(slug),
}
const insights: NavSection = {
  label: 'Insights',
  icon: ChartSpline,
  key: 'i',
  path: (slug) => paths.insights(slug),
}
const live: NavSection = { label: 'Live', icon: Radio, key: 'l', path: (slug) => paths.live(slug) }
const dashboards: NavSection = {
  label: 'Dashboards',
  icon: LayoutDashboard,
  key: 'd',
  path: (slug) => paths.dashboards(slug),
}
const people: NavSection = {
  label: 'People',
  icon: UsersRound,
  key: 'p',
  path: (slug) => paths.people(slug),
}
const sql: NavSection = {
  label: 'SQL',
  icon: SquareTerminal,
  key: 'q',
  path: (slug) => paths.sql(slug),
}
const alerts: NavSection = {
  label: 'Alerts',
  icon: BellRing,
  key: 'a',
  path: (slug) => paths.alerts(slug),
}
const flags: NavSection = { label: 'Flags', icon: Flag, key: 'f', path: (slug) => paths.flags(slug) }
const experiments: NavSection = {
  label: 'Experiments',
  icon: FlaskConical,
  key: 'e',
  path: (slug) => paths.experiments(slug),
}
const surveys: NavSection = {
  label: 'Surveys',
  icon: MessageSquareText,
  key: 's',
  path: (slug) => paths.surveys(slug),
}
const posts: NavSection = {
  label: 'Posts',
  icon: Newspaper,
  key: 'b',
  path: (slug) => paths.posts(slug),
}
const connect: NavSection = {
  label: 'Connect',
  icon: Plug,
  key: 'c',
  path: (slug) => paths.connect(slug),
}
export const settings: NavSection = { label: 'Settings', icon: Settings, key: ',', path: paths.settings }

/** The sidebar, from top to bottom. */
export const navGroups: readonly NavGroup[] = [
  { sections: [home] },
  { label: 'Measure', sections: [web, insights, dashboards, people, live, alerts, sql] },
  { label: 'Ship', sections: [flags, experiments, surveys] },
  { label: 'Publish', sections: [posts] },
  { sections: [connect, settings] },
]

export const allSections: readonly NavSection[] = navGroups.flatMap(({ sections }) => sections)

/** Home is where only Home's own address leads; every other room has addresses below its own. */
export const isInSection = (section: NavSection, slug: string, pathname: string): boolean =>
  pathname === section.path(slug) || (section !== home && pathname.startsWith(`${section.path(slug)}/`))
