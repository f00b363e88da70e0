import { FlaskConical } from 'lucide-react'
import { stateOf, type Trial } from '#posts/post'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { dateTime } from '#ui/format'
import { Icon } from '#ui/Icon'
import { Notice } from '#ui/page/Notice'
import { Panel } from '#ui/page/Panel'
import { getProduct } from '#studio/product'
import { tryEngine } from '#studio/parts/refusals'
import type { OpenedPost } from '../open-post'
import { LazyNewTrial, LazyRunningTrial } from './LazyTrials'
import { VariantTable } from './VariantTable'

/** The trial of titles, excerpts or covers: its variants, results and verdict. */
export async function HeadlinesPanel({ opened }: { opened: OpenedPost }) {
  const { project, post, whyNot } = opened
  const { trial } = post
  const isPublished = stateOf(post, new Date()) === 'published'
  if (!isPublished && !trial)
    return (
      <Panel>
        <EmptyMessage
          icon={<Icon of={FlaskConical} size="lg" />}
          title="Publish to test headlines"
          body="Test two to five titles, excerpts or covers in lists. The most opened or most read wins."
        />
      </Panel>
    )
  return (
    <div className="flex flex-col gap-5">
      {trial && <TrialSection opened={opened} trial={trial} />}
      {trial?.state.name !== 'running' && (
        <LazyNewTrial
          slug={project.slug}
          id={post.id}
          original={{ title: post.title, excerpt: post.excerpt, cover: post.cover }}
          whyNot={whyNot ?? (isPublished ? undefined : 'Publish the post first.')}
        />
      )}
    </div>
  )
}

async function TrialSection({ opened, trial }: { opened: OpenedPost; trial: Trial }) {
  const { project, viewer, post, whyNot } = opened
  const { numbers: postNumbers } = getProduct().posts
  const answer = await tryEngine(() => postNumbers.trial(project.id, trial, viewer))
  const figures = answer.done ? answer.trial : undefined
  const { state, metric } = trial
  return (
    <>
      {state.name !== 'running' && <DecidedTrial state={state} timeZone={project.timeZone} />}
      <Panel
        flush
        title={state.name === 'running' ? 'Running test' : 'Past tests'}
        description={`Since ${dateTime(trial.startedAt, project.timeZone)}, by ${metric === 'clicks' ? 'opens' : 'complete reads'}. Feeds and search engines get the original.`}
      >
        <VariantTable
          original={{ title: post.title, excerpt: post.excerpt, cover: post.cover }}
          trial={trial}
          figures={figures}
        />
        {!answer.done && (
          <p className="border-t border-line px-4 py-2.5 text-xs text-muted">
            {answer.problems.map(({ message }) => message).join(' ')}
          </p>
        )}
        {state.name === 'running' && (
          <LazyRunningTrial
            slug={project.slug}
            id={post.id}
            variants={trial.variants.map(({ key }) => key)}
            verdict={figures?.verdict}
            whyNot={whyNot}
          />
        )}
      </Panel>
    </>
  )
}

function DecidedTrial({
  state,
  timeZone,
}: {
  state: Exclude<Trial['state'], { name: 'running' }>
  timeZone: string
}) {
  const when = `${dateTime(state.at, timeZone)}, by ${state.by}.`
  return state.name === 'won' ? (
    <Notice tone="success" title={`Variant ${state.winner.toUpperCase()} won`}>
      {when} It is now used in the post.
    </Notice>
  ) : (
    <Notice title="Test stopped">{when} Everyone sees the original.</Notice>
  )
}
