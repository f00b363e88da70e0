import type { Post } from '../posts/post'
import type { Posts } from '../posts/posts'
import type { Published } from '../posts/published'
import type { TrialVerdict } from '../posts/trial-verdict'
import { operator } from '../projects/access'
import type { Outcome } from '../projects/problems'
import type { Projects } from '../projects/projects'
import type { World } from '../world/world'
import type { Job } from './jobs'
import type { PostNumbers } from './post-numbers'

interface TriallingGround {
  projects: Pick<Projects, 'list'>
  published: Pick<Published, 'posts' | 'pages'>
  posts: Pick<Posts, 'find' | 'pickWinner' | 'stopTrial'>
  postNumbers: Pick<PostNumbers, 'trial'>
  world: World
}

export const trialJob = 'look at trials of posts'
const minute = 60_000

const byTrial = operator('trial')

/** Trials end by themselves: with a winner, or without one once it is clear that there will be none. */
export const triallingJobs = (ground: TriallingGround): readonly Job[] => [
  { name: trialJob, everyMs: 5 * minute, isShared: true, run: () => lookAtTrials(ground) },
]

/** One that cannot be looked at keeps none of the others from it. */
export async function lookAtTrials(ground: TriallingGround): Promise<void> {
  const problems: unknown[] = []
  for (const post of underTrial(ground))
    await concludeTrial(post, ground).catch((problem: unknown) => problems.push(problem))
  if (problems.length > 0) throw new AggregateError(problems, 'Some trials of posts could not be looked at.')
}

function underTrial({ projects, published, world }: TriallingGround): Post[] {
  const live = projects.list(byTrial).filter(({ archivedAt }) => !archivedAt)
  return live
    .flatMap(({ id }) => [...published.posts(id, world.now()), ...published.pages(id, world.now())])
    .filter(({ trial }) => trial?.state.name === 'running')
}

async function concludeTrial({ projectId, id, trial }: Post, ground: TriallingGround): Promise<void> {
  if (!trial) return
  const looked = await ground.postNumbers.trial(projectId, trial, byTrial)
  if (!looked.done) throw new Error(sentences(looked))
  const { verdict } = looked.trial
  const known = await ground.posts.find(projectId, id, byTrial)
  // while it was looked at, somebody may have ended it and begun another one with the same letters
  if (known?.trial?.key !== trial.key || known.trial.state.name !== 'running') return
  const ended = await endTrial(known, verdict, ground)
  if (ended && !ended.done) throw new Error(sentences(ended))
}

async function endTrial(
  { projectId, id }: Post,
  verdict: TrialVerdict,
  { posts }: TriallingGround,
): Promise<Outcome | undefined> {
  if (verdict.name === 'won')
    return await posts.pickWinner(projectId, id, { winner: verdict.winner }, byTrial)
  return verdict.name === 'futile' ? await posts.stopTrial(projectId, id, byTrial) : undefined
}

const sentences = (outcome: Outcome): string =>
  outcome.done ? '' : outcome.problems.map(({ message }) => message).join(' ')
