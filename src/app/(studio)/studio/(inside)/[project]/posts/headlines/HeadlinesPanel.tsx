import { FlaskConical } from 'lucide-react'
import { stateOf, type Trial } from '#posts/post'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { dateTime } from '#ui/format'
import { Icon } from '#ui/Icon'
import { Notice } from '#ui/page/Notice'
import { Panel } from '#ui/page/Panel'
import { getProduct } from '#app/product'
import { tryEngine } from '../../flags/try-engine'
import type { OpenedPost } from '../open-post'
import { LazyNewTrial } from './LazyNewTrial'
import { RunningTrial } from './RunningTrial'
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
          title="Nothing can be tried yet"
          body="Once it is published, two to five titles, excerpts or covers can be shown in lists, each to a part of the visitors. The one that is opened or read most becomes the post’s own."
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
          whyNot={
            whyNot ?? (isPublished ? undefined : 'Only what is published can be tried. Publish it first.')
          }
        />
      )}
    </div>
  )
}

async function TrialSection({ opened, trial }: { opened: OpenedPost; trial: Trial }) {
  const { project, viewer, post, whyNot } = opened
  const { postNumbers } = getProduct()
  const answer = await tryEngine(() => postNumbers.trial(project.id, trial, viewer))
  const figures = answer.done ? answer.trial : undefined
  const { state, metric } = trial
  return (
    <>
      {state.name !== 'running' && <DecidedTrial state={state} timeZone={project.timeZone} />}
      <Panel
        flush
        title={state.name === 'running' ? 'Being tried' : 'What was tried'}
        description={`Since ${dateTime(trial.startedAt, project.timeZone)}, by who ${metric === 'clicks' ? 'opened it' : 'read it through'}. Feeds and search engines are told what the post itself says.`}
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
          <RunningTrial
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
      {when} The post has its words now.
    </Notice>
  ) : (
    <Notice title="It was stopped">{when} Everybody sees the original.</Notice>
  )
}
