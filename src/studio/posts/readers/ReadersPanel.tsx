import { addressOf, type Post, stateOf } from '#posts/post'
import type { PostFigures } from '#posts/numbers'
import { BarList } from '#ui/chart/BarList'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { FailedMessage } from '#ui/page/FailedMessage'
import { amount, number, percent } from '#ui/format'
import { LinkTabs } from '#ui/page/LinkTabs'
import { Panel } from '#ui/page/Panel'
import { Stat, Stats } from '#ui/chart/Stat'
import { bucketPoints } from '#ui/chart/time-axis'
import { type PostPageParameters, paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { tryEngine } from '#studio/parts/refusals'
import type { OpenedPost } from '../open-post'
import { readingPeriods } from '../list-filter'
import { GoalAttribution } from './GoalAttribution'
import { ReadersChart } from './ReadersChart'

interface ReadersPanelProps {
  opened: OpenedPost
  parameters: PostPageParameters & { period: string }
}

/** The readers of a post: their number, sources, progress and conversions. */
export async function ReadersPanel({ opened, parameters }: ReadersPanelProps) {
  const { project, viewer, post } = opened
  if (stateOf(post, new Date()) !== 'published') return <NoReaders post={post} />
  const { numbers: postNumbers } = getProduct().posts
  const { period } = parameters
  const answer = await tryEngine(() => postNumbers.of(project.id, post, { period }, viewer))
  const here = (changed: PostPageParameters) =>
    paths.post(project.slug, post.id, { ...parameters, panel: 'readers', ...changed })

  return (
    <div className="flex flex-col gap-5">
      <div className="max-w-full overflow-x-auto [scrollbar-width:none]">
        <LinkTabs
          label="Date range"
          look="segment"
          tabs={readingPeriods.map(({ value, label }) => ({
            label,
            href: here({ period: value }),
            current: value === period,
          }))}
        />
      </div>
      {answer.done ? (
        <>
          <ReaderFigures numbers={answer.numbers} />
          <GoalAttribution opened={opened} parameters={parameters} />
        </>
      ) : (
        <FailedMessage
          title="The numbers could not be loaded"
          body={answer.problems.map(({ message }) => message).join(' ')}
        />
      )}
    </div>
  )
}

function NoReaders({ post }: { post: Post }) {
  return (
    <Panel>
      <EmptyMessage
        title="Not published yet"
        body={`After publishing at ${addressOf(post)}, readers are counted here without a script or cookie.`}
      />
    </Panel>
  )
}

function ReaderFigures({ numbers }: { numbers: PostFigures }) {
  const { readers, views, readThrough, engagedMs, byDay, sources } = numbers
  if (readers === 0)
    return (
      <Panel>
        <EmptyMessage title="No readers in this period" body="Try a longer date range." />
      </Panel>
    )
  const starts = byDay.map(({ day }) => day)
  return (
    <>
      <Stats>
        <Stat label="Readers" value={number(readers)} />
        <Stat label="Views" value={number(views)} />
        <Stat label="Complete reads" value={readThrough === null ? '–' : percent(readThrough)} />
        <Stat
          label="Median time"
          value={amount(engagedMs, 'milliseconds')}
          hint="Half of the readers stay longer."
        />
      </Stats>
      <Panel title="Readers by day">
        <ReadersChart
          title="Readers by day"
          shape="area"
          points={bucketPoints(starts, 'day')}
          series={[{ key: 'readers', label: 'Readers', values: byDay.map((day) => day.readers) }]}
        />
      </Panel>
      <Panel title="Sources" flush>
        <BarList
          title="Sources"
          heads={{ label: 'Source', value: 'Readers' }}
          rows={sources.map(({ name, readers: from }) => ({
            key: name ?? '',
            label: name ?? 'Direct / None',
            value: from,
          }))}
          total={readers}
        />
      </Panel>
    </>
  )
}
