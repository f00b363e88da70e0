/** A section of the studio. Its path begins after the project's own. */
export interface StudioSection {
  label: string
  path: string
}

/** The rooms of the sidebar, also linked by error pages (http/error-page.ts), which are shown without the studio. */
export const studioSections = {
  home: { label: 'Home', path: '' },
  web: { label: 'Web analytics', path: '/web' },
  insights: { label: 'Insights', path: '/insights' },
  dashboards: { label: 'Dashboards', path: '/dashboards' },
  people: { label: 'People', path: '/people' },
  live: { label: 'Live', path: '/live' },
  alerts: { label: 'Alerts', path: '/alerts' },
  sql: { label: 'SQL', path: '/sql' },
  flags: { label: 'Flags', path: '/flags' },
  experiments: { label: 'Experiments', path: '/experiments' },
  surveys: { label: 'Surveys', path: '/surveys' },
  site: { label: 'Site', path: '/site' },
  connect: { label: 'Connect', path: '/connect' },
  settings: { label: 'Settings', path: '/settings' },
} as const satisfies Record<string, StudioSection>

/** The address of a room. */
export const sectionAddress = (slug: string, { path }: StudioSection): string => `/studio/${slug}${path}`
