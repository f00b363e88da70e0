import { number, shortAmount } from '../../../../../../../ui/format'
import { FailedMessage } from '../../../../../../../ui/FailedMessage'
import { LinkTabs } from '../../../../../../../ui/LinkTabs'
import { Panel } from '../../../../../../../ui/Panel'
import { Stat } from '../../../../../../../ui/Stat'
import { TextLink } from '../../../../../../../ui/Anchor'
import { type PostQuestion, paths } from '../../../../../../paths'
import { getProduct } from '../../../../../../product'
import { asking } from '../../flags/asking'
import type { Viewer } from '../../../../../../../projects/access'
import type { OpenedPost } from '../open-post'
import { GoalChoice } from './GoalChoice'

interface LedToProps {
  opened: OpenedPost
  question: PostQuestion & { period: string }
}

/** What its readers did afterwards, where this was the first or the last post they had read. */
export async function LedTo({ opened: { project, viewer, post }, question }: LedToProps) {
  const hopes = await hopesOf(project.id, viewer)
  const { goal = hopes[0]?.value, by = 'last' } = question
  const hope = hopes.find(({ value }) => value === goal)
  if (!hope) return <NoGoal slug={project.slug} />

  const here = (changed: PostQuestion) =>
    paths.post(project.slug, post.id, { ...question, goal, panel: 'readers', ...changed })
  return (
    <Panel
      title="What it led to"
      actions={
        <GoalChoice
          value={hope.value}
          options={hopes.map(({ value, label }) => ({ value, label, href: here({ goal: value }) }))}
        />
      }
    >
      <div className="flex flex-col gap-3">
        <div>
          <LinkTabs
            label="Which post counts"
            look="segment"
            tabs={[
              { label: 'Last post read', href: here({ by: undefined }), current: by === 'last' },
              { label: 'First post read', href: here({ by: 'first' }), current: by === 'first' },
            ]}
          />
        </div>
        <Led
          project={project}
          viewer={viewer}
          post={post}
          asked={{ ...hope.asked, attribution: by, period: question.period }}
        />
      </div>
    </Panel>
  )
}

/** What people are hoped to do: the goals of web analytics, and every funnel that was saved. */
interface Hope {
  value: string
  label: string
  /** As `ledTo` takes it. */
  asked: { goal: string } | { funnel: object }
}

async function hopesOf(projectId: number, viewer: Viewer): Promise<Hope[]> {
  const { goals, savedInsights } = getProduct()
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

type LedProps = Pick<OpenedPost, 'project' | 'viewer' | 'post'> & {
  asked: Hope['asked'] & { attribution: 'first' | 'last'; period: string }
}

async function Led({ project, viewer, post, asked }: LedProps) {
  const { postNumbers, insights } = getProduct()
  const answer = await asking(() => postNumbers.ledTo(project.id, post, asked, viewer))
  if (!answer.done)
    return (
      <FailedMessage
        title="It could not be counted"
        body={answer.problems.map(({ message }) => message).join(' ')}
      />
    )
  const { persons, revenue } = answer.led
  const { currency } = insights.settingsOf(project)
  return (
    <div className="-mx-4 -mb-4 grid grid-cols-2 divide-x divide-line border-t border-line">
      <Stat label="People" value={number(persons)} hint="Within 30 days of reading it." />
      <Stat label="Revenue" value={revenue === null ? '–' : shortAmount(revenue, { currency })} />
    </div>
  )
}

function NoGoal({ slug }: { slug: string }) {
  return (
    <Panel title="What it led to">
      <p className="text-pretty text-muted">
        Say what visitors are hoped to do, such as signing up, and it is counted here how many did after
        reading this. <TextLink href={paths.webView(slug, 'goals')}>Add a goal</TextLink>
      </p>
    </Panel>
  )
}
