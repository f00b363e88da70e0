import { paths } from '#studio/paths'

interface TabPage {
  label: string
  /** The page that it is a tab of. */
  section: string
  path: (slug: string) => string
}

/** The tabs of pages that the sidebar does not list. */
export const tabPages: readonly TabPage[] = [
  { label: 'Realtime', section: 'Web analytics', path: (slug) => paths.webView(slug, 'now') },
  { label: 'Bots', section: 'Web analytics', path: (slug) => paths.webView(slug, 'robots') },
  { label: 'Goals', section: 'Web analytics', path: (slug) => paths.webView(slug, 'goals') },
  { label: 'Segments', section: 'Web analytics', path: (slug) => paths.webView(slug, 'goals') },
  { label: 'Cohorts', section: 'People', path: paths.cohorts },
  { label: 'Groups', section: 'People', path: (slug) => paths.groups(slug) },
  { label: 'Erasures', section: 'People', path: paths.erasures },
  { label: 'Reports', section: 'Alerts', path: paths.reports },
  { label: 'Proposals', section: 'Home', path: (slug) => paths.proposals(slug) },
  { label: 'Environments', section: 'Flags', path: paths.environments },
  { label: 'Holdouts', section: 'Flags', path: paths.holdouts },
  { label: 'Saved metrics', section: 'Experiments', path: paths.savedMetrics },
  { label: 'Programme', section: 'Experiments', path: (slug) => paths.experimentProgramme(slug) },
  { label: 'Pages', section: 'Site', path: (slug) => paths.pages(slug) },
  { label: 'Posts', section: 'Site', path: (slug) => paths.posts(slug) },
  { label: 'Newsletter', section: 'Site', path: paths.letters },
  { label: 'Comments', section: 'Site', path: (slug) => paths.comments(slug) },
  { label: 'Design', section: 'Site', path: paths.siteSettings },
  { label: 'Images', section: 'Site', path: (slug) => paths.images(slug) },
  { label: 'Authors', section: 'Site', path: paths.authors },
  { label: 'Redirects', section: 'Site', path: paths.redirects },
]
