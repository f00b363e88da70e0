import type { Metadata } from 'next'
import { Suspense } from 'react'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { FailedMessage } from '#ui/page/FailedMessage'
import { number, percent, plural } from '#ui/format'
import { LinkTabs } from '#ui/page/LinkTabs'
import { Notice } from '#ui/page/Notice'
import { PagePagination } from '#ui/table/Pagination'
import { Panel } from '#ui/page/Panel'
import { Skeleton } from '#ui/page/Skeleton'
import { Stat, Stats } from '#ui/chart/Stat'
import { type FlagPeopleFilter, paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { pageOf, type SearchParams, textOf } from '#studio/search-params'
import { clockOf } from '#studio/parts/RelativeTime'
import { tryEngine } from '#studio/parts/refusals'
import type { ConditionSet } from '#flags/flag'
import { type ConditionLabels, setInWords } from '#flags/words'
import { TextLink } from '#ui/Anchor'
import { namesIn } from '../editor/editor-choices'
import { flagValueLabel } from '../explain/value-label'
import { FlagFrame } from '../FlagFrame'
import { type FlagParams, type OpenedFlag, openFlag, titleOf } from '../open-flag'
import { MatchesTable } from './MatchesTable'

interface FlagPeoplePageProps {
  params: FlagParams
  searchParams: Promise<SearchParams>
}

export const generateMetadata = ({ params }: FlagPeoplePageProps): Promise<Metadata> =>
  titleOf(params, 'People')

/** Shows which persons get which value of a flag now, and why. */
export async function FlagPeoplePage({ params, searchParams }: FlagPeoplePageProps) {
  const search = await searchParams
  const opened = await openFlag(params, search)
  const query = { ...queryIn(search), environment: opened.environment }

  return (
    <FlagFrame {...opened} view="people">
      <Suspense key={JSON.stringify(query)} fallback={<Skeleton className="h-96 w-full" />}>
        <Matches opened={opened} filter={query} />
      </Suspense>
    </FlagFrame>
  )
}

const shown = ['not-served', 'all'] as const

/** Ignores invalid values in the address. */
const queryIn = ({ show, value, set, page }: SearchParams): FlagPeopleFilter => ({
  show: shown.find((one) => one === show),
  value: textOf(value)?.slice(0, 200),
  set: set === undefined ? undefined : pageOf(set),
  page: page === undefined ? undefined : pageOf(page),
})

const matchesPerPage = 50

async function Matches({ opened, filter }: { opened: OpenedFlag; filter: FlagPeopleFilter }) {
  const { project, viewer, flag, environment } = opened
  const { cohorts } = getProduct().people
  const { matches: flagMatches } = getProduct().flags
  const answer = await tryEngine(() => flagMatches.list(project.id, flag.key, filter, viewer))
  if (!answer.done)
    return (
      <FailedMessage
        title="The people could not be loaded"
        body={answer.problems.map(({ message }) => message).join(' ')}
      />
    )
  const { matches, total, counts, isAsIfOn } = answer.page
  const here = (next: FlagPeopleFilter) => addressOf(opened, next)
  const sets = flag.environments[environment]?.conditions ?? []
  const pages = Math.min(Math.ceil(total / matchesPerPage), 1000)
  if (counts.persons === 0) return <NoPersons />
  return (
    <div className="flex flex-col gap-5">
      {isAsIfOn && (
        <Notice tone="info" title={`The flag is off in ${environment}`}>
          No one gets a value now. This is who would get one if it were on.
        </Notice>
      )}
      <Stats>
        <Stat label={isAsIfOn ? 'Would match' : 'Get a value'} value={number(counts.served)} />
        <Stat label="Share" value={percent(counts.evaluated === 0 ? 0 : counts.served / counts.evaluated)} />
        <Stat label="People looked at" value={number(counts.evaluated)} />
      </Stats>
      {sets.length > 0 && (
        <MatchesBySet
          sets={sets}
          counts={counts.sets}
          names={namesIn({ cohorts: await cohorts.names(project.id, viewer) })}
          current={filter.set}
          href={(set) =>
            here({ ...filter, set, show: set === undefined ? undefined : 'all', page: undefined })
          }
        />
      )}
      <div className="flex *:flex-wrap">
        <LinkTabs label="People shown" look="segment" tabs={tabsFor(opened, filter, counts)} />
      </div>
      <Panel
        flush
        title={plural(total, 'person', 'people')}
        footer={footerOf(counts.evaluated, counts.persons)}
      >
        <MatchesTable
          slug={project.slug}
          flagKey={flag.key}
          kind={flag.kind}
          environment={environment}
          matches={matches}
          clock={clockOf(project)}
        />
      </Panel>
      {pages > 1 && (
        <PagePagination
          label="Pages of people"
          page={filter.page ?? 1}
          pages={pages}
          href={(page) => here({ ...filter, page })}
        />
      )}
    </div>
  )
}

function addressOf({ project, flag, environment, environments }: OpenedFlag, filter: FlagPeopleFilter) {
  return paths.flagPeople(project.slug, flag.key, {
    ...filter,
    environment: environment === environments[0] ? undefined : environment,
  })
}

interface TabCounts {
  served: number
  evaluated: number
  values: readonly { value: boolean | string; persons: number }[]
}

/** One tab for each way to narrow the list, with its size; sizes are of the whole list, not of one condition set. */
function tabsFor(opened: OpenedFlag, filter: FlagPeopleFilter, { served, evaluated, values }: TabCounts) {
  const { set } = filter
  const sized = (count: number) => (set === undefined ? number(count) : undefined)
  const tab = (label: string, count: number, narrowed: Pick<FlagPeopleFilter, 'show' | 'value'>) => ({
    label,
    count: sized(count),
    href: addressOf(opened, { set, ...narrowed }),
    current: filter.show === narrowed.show && filter.value === narrowed.value,
  })
  return [
    tab('Get a value', served, {}),
    ...(values.length > 1
      ? values.map(({ value, persons }) =>
          tab(flagValueLabel(value, opened.flag.kind), persons, { value: String(value) }),
        )
      : []),
    tab('Get none', evaluated - served, { show: 'not-served' }),
    tab('All', evaluated, { show: 'all' }),
  ]
}

const source = 'Evaluated with the latest place, device and groups of each person.'

const footerOf = (evaluated: number, persons: number): string =>
  evaluated < persons
    ? `The ${number(evaluated)} people seen last, of ${number(persons)} in the last 30 days. ${source}`
    : `People of the last 30 days. ${source}`

const NoPersons = () => (
  <Panel>
    <EmptyMessage
      title="No people yet"
      body="People of the last 30 days are listed with the value they get."
    />
  </Panel>
)

/** Lists the condition sets with the persons that each decides for. */
function MatchesBySet({
  sets,
  counts,
  names,
  current,
  href,
}: {
  sets: readonly ConditionSet[]
  counts: readonly { served: number; outsideRollout: number }[]
  names: ConditionLabels
  /** The set that the list is narrowed to, counted from 1. */
  current: number | undefined
  href: (set: number | undefined) => string
}) {
  return (
    <Panel
      title="By condition set"
      actions={current !== undefined && <TextLink href={href(undefined)}>Show all sets</TextLink>}
    >
      <ol className="flex flex-col gap-3">
        {sets.map((set, index) => {
          const { served, outsideRollout } = counts[index] ?? { served: 0, outsideRollout: 0 }
          return (
            // sets have no id, and their order is their meaning
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index} className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
              <span className="min-w-0 grow basis-72 text-pretty wrap-anywhere">
                <TextLink href={href(index + 1)} aria-current={current === index + 1 || undefined}>
                  Condition set {index + 1}
                </TextLink>
                <span className="text-muted"> · {setInWords(set, names)}</span>
              </span>
              <span className="text-muted tabular-nums">
                {number(served)} in rollout
                {outsideRollout > 0 && ` · ${number(outsideRollout)} outside`}
              </span>
            </li>
          )
        })}
      </ol>
    </Panel>
  )
}
