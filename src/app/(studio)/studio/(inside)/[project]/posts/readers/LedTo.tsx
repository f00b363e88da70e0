import { number, shortAmount } from '../../../../../../../ui/format'
import { FailedMessage } from '../../../../../../../ui/FailedMessage'
import { LinkTabs } from '../../../../../../../ui/LinkTabs'
import { Panel } from '../../../../../../../ui/Panel'
import { Stat } from '../../../../../../../ui/Stat'
import { TextLink } from '../../../../../../../ui/Anchor'
import { type PostQuestion, paths } from '../../../../../../paths'
import { getProduct } from '../../../../../../product'
import { asking } from '../../flags/asking'
import type { OpenedPost } from '../open-post'
import { GoalChoice } from './GoalChoice'

interface LedToProps {
  opened: OpenedPost
  question: PostQuestion & { period: string }
}

/** What its readers did afterwards, where this was the first or the last post they had read. */
export async function LedTo({ opened: { project, viewer, post }, question }: LedToProps) {
  const { goals } = getProduct()
  const saved = await goals.list(project.id, viewer)
  const { goal = saved[0]?.id, by = 'last' } = question
  if (goal === undefined) return <NoGoal slug={project.slug} />

  const here = (changed: PostQuestion) =>
    paths.post(project.slug, post.id, { ...question, goal, panel: 'readers', ...changed })
  return (
    <Panel
      title="What it led to"
      actions={
        <GoalChoice
          value={goal}
          options={saved.map(({ id, name }) => ({ value: id, label: name, href: here({ goal: id }) }))}
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
        <Led project={project} viewer={viewer} post={post} asked={{ goal, by, period: question.period }} />
      </div>
    </Panel>
  )
}

type LedProps = Pick<OpenedPost, 'project' | 'viewer' | 'post'> & {
  asked: { goal: string; by: 'first' | 'last'; period: string }
}

async function Led({ project, viewer, post, asked: { goal, by, period } }: LedProps) {
  const { postNumbers, insights } = getProduct()
  const answer = await asking(() =>
    postNumbers.ledTo(project.id, post, { goal, attribution: by, period }, viewer),
  )
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
