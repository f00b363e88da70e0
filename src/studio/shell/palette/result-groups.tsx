import {
  ChartSpline,
  FlaskConical,
  Flag,
  LayoutDashboard,
  type LucideIcon,
  MessageSquareText,
  MousePointerClick,
  Newspaper,
  Tag,
  UserRound,
  UsersRound,
} from 'lucide-react'
import { isSearchKind, type SearchKind, searchKinds, type SearchResult } from '#search/result'
import type { CommandGroup, PaletteCommand } from '#ui/overlay/CommandPalette'
import { Icon } from '#ui/Icon'
import { pathOfThing } from './things'

const kinds: Readonly<Record<SearchKind, { label: string; plural: string; icon: LucideIcon }>> = {
  dashboard: { label: 'Dashboard', plural: 'Dashboards', icon: LayoutDashboard },
  insight: { label: 'Insight', plural: 'Insights', icon: ChartSpline },
  flag: { label: 'Flag', plural: 'Flags', icon: Flag },
  experiment: { label: 'Experiment', plural: 'Experiments', icon: FlaskConical },
  survey: { label: 'Survey', plural: 'Surveys', icon: MessageSquareText },
  post: { label: 'Post', plural: 'Posts and pages', icon: Newspaper },
  person: { label: 'Person', plural: 'People', icon: UserRound },
  cohort: { label: 'Cohort', plural: 'Cohorts', icon: UsersRound },
  event: { label: 'Event', plural: 'Events', icon: MousePointerClick },
  property: { label: 'Property', plural: 'Properties', icon: Tag },
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

/** A group for each kind that was found, with what was opened before at its beginning. */
export function resultGroups(
  slug: string | undefined,
  results: readonly SearchResult[],
  recent: readonly SearchResult[],
): CommandGroup[] {
  if (slug === undefined) return []
  const known = new Set(recent.map(idOf))
  const ordered = results.toSorted(
    (one, other) => Number(known.has(idOf(other))) - Number(known.has(idOf(one))),
  )
  const groups = Map.groupBy(ordered, ({ kind }) => kind)
  return searchOrder.flatMap((kind) => {
    const found = groups.get(kind)
    return found ? [{ label: kinds[kind].plural, commands: found.map((one) => foundCommand(slug, one)) }] : []
  })
}

const foundCommand = (slug: string, result: SearchResult): PaletteCommand => ({
  ...commandFor(slug, result),
  found: true,
})

const searchOrder = Object.keys(searchKinds).filter(isSearchKind)

const idOf = ({ kind, id, property }: SearchResult): string =>
  [kind, id, property?.type, property?.group].filter(Boolean).join(' ')

const commandFor = (slug: string, result: SearchResult): PaletteCommand => ({
  id: idOf(result),
  label: result.name,
  icon: <Icon of={kinds[result.kind].icon} />,
  hint: result.detail,
  href: pathOfThing(slug, result),
})
