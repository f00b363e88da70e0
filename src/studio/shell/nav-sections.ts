import {
  BellRing,
  ChartColumn,
  ChartSpline,
  FlaskConical,
  Flag,
  GitPullRequestArrow,
  House,
  LayoutDashboard,
  type LucideIcon,
  MessageSquareText,
  PanelsTopLeft,
  Plug,
  Radio,
  Settings,
  SquareTerminal,
  UsersRound,
} from 'lucide-react'
import { paths } from '#studio/paths'
import { type StudioSection, sectionAddress, studioSections } from '#ui/page/sections'

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

const sectionFor = (section: StudioSection, icon: LucideIcon, key: string): NavSection => ({
  label: section.label,
  icon,
  key,
  path: (slug) => sectionAddress(slug, section),
})

export const home = sectionFor(studioSections.home, House, 'h')
const web = sectionFor(studioSections.web, ChartColumn, 'w')
const insights = sectionFor(studioSections.insights, ChartSpline, 'i')
const live = sectionFor(studioSections.live, Radio, 'l')
const dashboards = sectionFor(studioSections.dashboards, LayoutDashboard, 'd')
const people = sectionFor(studioSections.people, UsersRound, 'p')
const sql = sectionFor(studioSections.sql, SquareTerminal, 'q')
const alerts = sectionFor(studioSections.alerts, BellRing, 'a')
const flags = sectionFor(studioSections.flags, Flag, 'f')
const experiments = sectionFor(studioSections.experiments, FlaskConical, 'e')
const surveys = sectionFor(studioSections.surveys, MessageSquareText, 's')
const site = sectionFor(studioSections.site, PanelsTopLeft, 'b')
const connect = sectionFor(studioSections.connect, Plug, 'c')
export const settings = sectionFor(studioSections.settings, Settings, ',')

/** The sidebar, from top to bottom. */
export const navGroups: readonly NavGroup[] = [
  { sections: [home] },
  { label: 'Measure', sections: [web, insights, dashboards, people, live, alerts, sql] },
  { label: 'Ship', sections: [flags, experiments, surveys] },
  { label: 'Publish', sections: [site] },
  { sections: [connect, settings] },
]

/** Below Home while an assistant waits for a decision, or on its own pages. */
export const proposals: Omit<NavSection, 'key'> = {
  label: 'Proposals',
  icon: GitPullRequestArrow,
  path: (slug) => paths.proposals(slug),
}

export const allSections: readonly NavSection[] = navGroups.flatMap(({ sections }) => sections)

/** Home is where only Home's own address leads; every other room has addresses below its own. */
export const isInSection = (section: Omit<NavSection, 'key'>, slug: string, pathname: string): boolean =>
  pathname === section.path(slug) || (section !== home && pathname.startsWith(`${section.path(slug)}/`))
