import {
  ChartSpline,
  Earth,
  Filter,
  FlaskConical,
  Flag,
  LayoutDashboard,
  type LucideIcon,
  MessageSquareText,
  MousePointerClick,
  Newspaper,
  Tag,
  Target,
  UserRound,
  UsersRound,
} from 'lucide-react'
import { isSearchKind, type SearchKind, searchKinds, type SearchResult } from '#search/result'
import type { CommandGroup, PaletteCommand } from '#ui/overlay/CommandPalette'
import { exactPart, fuzzyScore } from '#ui/overlay/fuzzy-match'
import { Icon } from '#ui/Icon'
import { pathOfThing } from './things'

const kinds: Readonly<Record<SearchKind, { label: string; plural: string; icon: LucideIcon }>> = {
  dashboard: { label: 'Dashboard', plural: 'Dashboards', icon: LayoutDashboard },
  insight: { label: 'Insight', plural: 'Insights', icon: ChartSpline },
  flag: { label: 'Flag', plural: 'Flags', icon: Flag },
  experiment: { label: 'Experiment', plural: 'Experiments', icon: FlaskConical },
  survey: { label: 'Survey', plural: 'Surveys', icon: MessageSquareText },
  post: { label: 'Post', plural: 'Posts and pages', icon: Newspaper },
  goal: { label: 'Goal', plural: 'Goals', icon: Target },
  segment: { label: 'Segment', plural: 'Segments', icon: Filter },
  person: { label: 'Person', plural: 'People', icon: UserRound },
  cohort: { label: 'Cohort', plural: 'Cohorts', icon: UsersRound },
  event: { label: 'Event', plural: 'Events', icon: MousePointerClick },
  property: { label: 'Property', plural: 'Properties', icon: Tag },
  country: { label: 'Country', plural: 'Web analytics', icon: Earth },
}

/** The last opened entries, the latest first. */
export const recentGroup = (slug: string | undefined, recent: readonly SearchResult[]): CommandGroup[] =>
  slug === undefined || recent.length === 0
    ? []
    : [
        {
          label: 'Recent',
          commands: recent.map((result) => ({
            ...commandFor(slug, result),
            id: `recent ${idOf(result)}`,
            hint: kinds[result.kind].label,
          })),
        },
      ]

interface ResultGroupsOptions {
  results: readonly SearchResult[]
  recent: readonly SearchResult[]
  typed: string
  /** Whether the results answer to what is typed now; earlier ones are shown where their names fit. */
  isAnswered: boolean
}

/** A group for each kind that was found, with what was opened before at its beginning. */
export function resultGroups(
  slug: string | undefined,
  { results, recent, typed, isAnswered }: ResultGroupsOptions,
): CommandGroup[] {
  if (slug === undefined) return []
  const known = new Set(recent.map(idOf))
  const ordered = results.toSorted(
    (one, other) => Number(known.has(idOf(other))) - Number(known.has(idOf(one))),
  )
  const groups = Map.groupBy(ordered, ({ kind }) => kind)
  return orderFor(typed, results).flatMap((kind) => {
    const found = groups.get(kind)
    if (!found) return []
    const commands = found.map((one) => ({ ...commandFor(slug, one), found: isAnswered }))
    return [{ label: kinds[kind].plural, commands }]
  })
}

const otherKinds = Object.keys(searchKinds)
  .filter(isSearchKind)
  .filter((kind) => kind !== 'person')

/** Persons come first where a name or an e-mail address is typed, and otherwise last: they are found by all that is known of them. */
function orderFor(typed: string, results: readonly SearchResult[]): readonly SearchKind[] {
  const isName = results.some(
    ({ kind, name, detail = '' }) =>
      kind === 'person' && Math.max(fuzzyScore(typed, name), fuzzyScore(typed, detail)) >= exactPart,
  )
  return isName ? ['person', ...otherKinds] : [...otherKinds, 'person']
}

const idOf = ({ kind, id, property }: SearchResult): string =>
  [kind, id, property?.type, property?.group].filter(Boolean).join(' ')

const commandFor = (slug: string, result: SearchResult): PaletteCommand => ({
  id: idOf(result),
  label: result.name,
  icon: <Icon of={kinds[result.kind].icon} />,
  hint: result.detail,
  href: pathOfThing(slug, result),
})
