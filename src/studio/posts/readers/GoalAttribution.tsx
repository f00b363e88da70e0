import { number, shortAmount } from '#ui/format'
import { FailedMessage } from '#ui/page/FailedMessage'
import { LinkTabs } from '#ui/page/LinkTabs'
import { Panel } from '#ui/page/Panel'
import { Stat } from '#ui/chart/Stat'
import { TextLink } from '#ui/Anchor'
import { type PostPageParameters, paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { tryEngine } from '#studio/parts/refusals'
import type { Viewer } from '#projects/access'
import type { OpenedPost } from '../open-post'
import { GoalChoice } from './GoalChoice'

interface GoalAttributionProps {
  opened: OpenedPost
  parameters: PostPageParameters & { period: string }
}

/** The conversions of the post's readers, attributed to it as the first or the last post they had read. */
export async function GoalAttribution({
  opened: { project, viewer, post },
  parameters,
}: GoalAttributionProps) {
  const goalOptions = await goalOptionsOf(project.id, viewer)
  const { attribution } = getProduct().insights.settingsOf(project)
  const { goal = goalOptions[0]?.value, by = attribution } = parameters
  const goalOption = goalOptions.find(({ value }) => value === goal)
  if (!goalOption) return <NoGoal slug={project.slug} />

  const here = (changed: PostPageParameters) =>
    paths.post(project.slug, post.id, { ...parameters, goal, panel: 'readers', ...changed })
  return (
    <Panel
      title="Conversions"
      actions={
        <GoalChoice
          value={goalOption.value}
          options={goalOptions.map(({ value, label }) => ({ value, label, href: here({ goal: value }) }))}
        />
      }
    >
      <div className="flex flex-col gap-3">
        <div>
          <LinkTabs
            label="Attribution"
            look="segment"
            tabs={[
              { label: 'Last post read', href: here({ by: 'last' }), current: by === 'last' },
              { label: 'First post read', href: here({ by: 'first' }), current: by === 'first' },
            ]}
          />
        </div>
        <AttributionFigures
          project={project}
          viewer={viewer}
          post={post}
          question={{ ...goalOption.asked, attribution: by, period: parameters.period }}
        />
      </div>
    </Panel>
  )
}

/** A conversion to attribute: a goal of web analytics, or a saved funnel. */
interface GoalOption {
  value: string
  label: string
  /** The argument of `attributionFor`. */
  asked: { goal: string } | { funnel: object }
}

async function goalOptionsOf(projectId: number, viewer: Viewer): Promise<GoalOption[]> {
  const { goals, saved: savedInsights } = getProduct().insights
  const saved = await goals.list(projectId, viewer)
  const funnels = await savedInsights.list(projectId, { kind: 'funnel' }, viewer)
  return [
    ...saved.map(({ id, name }) => ({ value: id, label: name, asked: { goal: id } })),
    ...(funnels.done ? funnels.insights : []).map(({ id, name, question }) => ({
      value: `funnel ${id}`,
      label: name,
      asked: { funnel: question },
    })),
  ]
}

type AttributionFiguresProps = Pick<OpenedPost, 'project' | 'viewer' | 'post'> & {
  question: GoalOption['asked'] & { attribution: 'first' | 'last'; period: string }
}

async function AttributionFigures({ project, viewer, post, question }: AttributionFiguresProps) {
  const { insights } = getProduct()
  const { numbers: postNumbers } = getProduct().posts
  const answer = await tryEngine(() => postNumbers.attributionFor(project.id, post, question, viewer))
  if (!answer.done)
    return (
      <FailedMessage
        title="The numbers could not be loaded"
        body={answer.problems.map(({ message }) => message).join(' ')}
      />
    )
  const { persons, revenue } = answer.led
  const { currency } = insights.settingsOf(project)
  return (
    <div className="-mx-4 -mb-4 grid grid-cols-2 divide-x divide-line border-t border-line">
      <Stat label="People" value={number(persons)} hint="Within 30 days of reading." />
      <Stat label="Revenue" value={revenue === null ? '–' : shortAmount(revenue, { currency })} />
    </div>
  )
}

function NoGoal({ slug }: { slug: string }) {
  return (
    <Panel title="Conversions">
      <p className="text-pretty text-muted">
        Add a goal to see how many readers convert after reading this post.{' '}
        <TextLink href={paths.webView(slug, 'goals')}>Add goal</TextLink>
      </p>
    </Panel>
  )
}
