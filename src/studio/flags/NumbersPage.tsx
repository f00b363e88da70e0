import { RotateCw } from 'lucide-react'
import type { Metadata } from 'next'
import { Suspense } from 'react'
import { exposureTrendQuery } from '#flags/exposure-queries'
import { staleWords } from '#flags/staleness'
import { BarList } from '#ui/chart/BarList'
import { ColourMark } from '#ui/chart/ColourMark'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { FailedMessage } from '#ui/page/FailedMessage'
import { number } from '#ui/format'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { LinkTabs } from '#ui/page/LinkTabs'
import { Notice } from '#ui/page/Notice'
import { Panel } from '#ui/page/Panel'
import { Skeleton } from '#ui/page/Skeleton'
import { Stat, Stats } from '#ui/chart/Stat'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { AnswerPanel } from '#studio/insights/AnswerPanel'
import { AnswerAge } from '#studio/parts/AnswerAge'
import { RelativeTime, clockOf } from '#studio/parts/RelativeTime'
import { type SearchParams, textOf } from '#studio/search-params'
import { tryEngine } from '#studio/parts/refusals'
import { trafficOf } from './figures'
import { FlagFrame } from './FlagFrame'
import { servedColours } from './variant-colour'
import { type FlagParams, type OpenedFlag, openFlag, titleOf } from './open-flag'

interface NumbersPageProps {
  params: FlagParams
  searchParams: Promise<SearchParams>
}

const periods = [
  { value: '24h', label: '24 hours' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
  { value: '90d', label: '90 days' },
] as const

export const generateMetadata = ({ params }: NumbersPageProps): Promise<Metadata> => titleOf(params, 'Usage')

/** Shows requests for the flag and the returned values over time. */
export async function NumbersPage({ params, searchParams }: NumbersPageProps) {
  const search = await searchParams
  const opened = await openFlag(params, search)
  const { project, flag, viewer, environment } = opened
  const period = periods.find(({ value }) => value === textOf(search['period']))?.value ?? '30d'
  const here = (next: string) => paths.flag(project.slug, flag.key, 'numbers', { environment, period: next })

  return (
    <FlagFrame {...opened} view="numbers">
      <div className="flex">
        <LinkTabs
          label="Date range"
          look="segment"
          tabs={periods.map(({ value, label }) => ({ label, href: here(value), current: value === period }))}
        />
      </div>
      <Suspense key={`${environment} ${period}`} fallback={<Skeleton className="h-96 w-full" />}>
        <Figures opened={opened} period={period} here={here(period)} />
        <AnswerPanel
          project={project}
          viewer={viewer}
          question={exposureTrendQuery({ key: flag.key, environment, period, counts: 'persons' })}
          title="People, by what they got"
          colourOf={servedColours(flag)}
          retryHref={here(period)}
          explain={{ isShown: false, href: here(period) }}
        />
      </Suspense>
    </FlagFrame>
  )
}

async function Figures({ opened, period, here }: { opened: OpenedFlag; period: string; here: string }) {
  const { project, viewer, flag, environment } = opened
  const { numbers: flagNumbers } = getProduct().flags
  const answer = await tryEngine(() =>
    flagNumbers.ofOne(project.id, flag.key, { environment, period }, viewer),
  )
  if (!answer.done)
    return (
      <FailedMessage
        title="The usage could not be loaded"
        body={answer.problems.map(({ message }) => message).join(' ')}
      />
    )
  const { figures, state } = answer
  if (!figures || !figures.lastAsked) return <NeverAsked opened={opened} here={here} />

  const { times, persons, lastAsked, values, askedBy, stale } = figures
  const clock = clockOf(project)
  return (
    <div className="flex flex-col gap-5">
      {stale && (
        <Notice tone="warning" title="This flag looks stale">
          {staleWords[stale.because]}
        </Notice>
      )}
      <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-1">
        {state && <AnswerAge {...state} now={clock.now} />}
        <RefreshLink here={here} />
      </div>
      <Stats>
        <Stat label="People" value={number(persons)} />
        <Stat label="Evaluations" value={number(times)} />
        <Stat label="Last evaluated" value={<RelativeTime at={lastAsked} clock={clock} />} />
      </Stats>
      <div className="grid gap-5 lg:grid-cols-2">
        <Panel title="Values served">
          <BarList
            title="Values served"
            heads={{ label: 'Value', value: 'People' }}
            rows={trafficOf(values, servedColours(flag)).map(({ served, label, value, colour }) => ({
              key: label,
              label,
              value,
              icon: <ColourMark colour={colour} />,
              valueHref: paths.personsBehind(
                project.slug,
                exposureTrendQuery({ key: flag.key, environment, period, counts: 'persons' }),
                { series: 0, breakdown: [served || null] },
              ),
            }))}
            total={persons}
          />
        </Panel>
        <Panel title="SDKs" description="By library name.">
          <BarList
            title="SDKs"
            heads={{ label: 'Library', value: 'Evaluations' }}
            rows={askedBy.map(({ library, times: count }) => ({
              key: library,
              label: library || 'Unknown',
              value: count,
            }))}
            total={times}
          />
        </Panel>
      </div>
    </div>
  )
}

const RefreshLink = ({ here }: { here: string }) => (
  <LinkButton href={here} icon={<Icon of={RotateCw} />}>
    Refresh
  </LinkButton>
)

function NeverAsked({ opened: { project, flag, environment }, here }: { opened: OpenedFlag; here: string }) {
  return (
    <Panel>
      <EmptyMessage
        title="No evaluations yet"
        body={`No SDK has evaluated ${flag.key} in ${environment} in this period.`}
        action={
          <>
            <LinkButton href={paths.flag(project.slug, flag.key, 'code', { environment })}>
              See code
            </LinkButton>
            <RefreshLink here={here} />
          </>
        }
      />
    </Panel>
  )
}
