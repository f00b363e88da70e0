import { flagKeyIn, pagesBesideFlags } from '#flags/flag-address'
import type { SearchKind, SearchResult } from '#search/result'
import { queryText } from '#insights/text/query-text'
import { pagesBesidePosts, paths, postIdIn } from '#studio/paths'

/** A thing of a project, by what never changes. */
export type ThingReference = Pick<SearchResult, 'kind' | 'id'>

/** The thing that a page of the studio is about; undefined for lists, settings and forms. */
export function thingAt(pathname: string, slug: string): ThingReference | undefined {
  const prefix = `/studio/${slug}/`
  if (!pathname.startsWith(prefix)) return undefined
  const [section = '', ...rest] = pathname.slice(prefix.length).split('/')
  const [first = '', second = ''] = rest
  if (section === 'site')
    return first !== 'posts' || pagesBesidePosts.includes(second)
      ? undefined
      : { kind: 'post', id: postIdIn(rest.slice(1)) }
  const found = pagesOfThings.find(
    (page) => page.section === section && (page.below === undefined || page.below === first),
  )
  const id = found?.below === undefined ? first : second
  if (!found || id === '' || found.others.includes(id)) return undefined
  return {
    kind: found.kind,
    id: found.kind === 'flag' ? flagKeyIn(decodeURIComponent(id)) : decodeURIComponent(id),
  }
}

interface ThingPage {
  kind: SearchKind
  section: string
  /** The part between the section and the id. */
  below?: string
  /** Pages of the section in the place of an id. */
  others: readonly string[]
}

/** The first that fits counts. */
const pagesOfThings: readonly ThingPage[] = [
  { kind: 'dashboard', section: 'dashboards', others: [] },
  { kind: 'insight', section: 'insights', others: ['new'] },
  { kind: 'flag', section: 'flags', others: pagesBesideFlags },
  { kind: 'survey', section: 'surveys', others: ['new'] },
  { kind: 'experiment', section: 'experiments', others: ['new', 'saved-metrics'] },
  { kind: 'cohort', section: 'people', below: 'cohorts', others: ['new'] },
  { kind: 'person', section: 'people', others: ['cohorts', 'groups', 'group', 'erasures', 'behind'] },
]

/** The address of a result. Events and properties have no page of their own: they open a trend. */
export function pathOfThing(slug: string, { kind, id, property }: SearchResult): string {
  if (kind === 'event') return trendPath(slug, { series: [{ event: id }] })
  if (kind === 'property')
    return trendPath(slug, { series: [{ event: null }], breakdowns: [{ ...property, key: id }] })
  return pathsOfThings[kind](slug, id)
}

const trendPath = (slug: string, query: object): string =>
  paths.newInsight(slug, { q: queryText({ kind: 'trend', ...query }) })

const pathsOfThings: Readonly<
  Record<Exclude<SearchKind, 'event' | 'property'>, (slug: string, id: string) => string>
> = {
  dashboard: (slug, id) => paths.dashboard(slug, id),
  insight: (slug, id) => paths.insight(slug, id),
  flag: (slug, id) => paths.flag(slug, id),
  experiment: (slug, id) => paths.experiment(slug, id),
  survey: (slug, id) => paths.survey(slug, id),
  post: (slug, id) => paths.post(slug, id),
  person: (slug, id) => paths.person(slug, id),
  cohort: (slug, id) => paths.cohort(slug, id),
  goal: (slug, id) => paths.web(slug, [['goal', id]]),
  segment: (slug, id) => paths.web(slug, [['segment', id]]),
  country: (slug, code) => paths.web(slug, [['country', code]]),
}
