import type { Post } from '../post'
import type { Posts } from '../posts'
import type { Published } from '../published/published'
import type { TrialVerdict } from '../trial-verdict'
import { operator } from '#projects/access'
import type { Outcome } from '#projects/problems'
import type { Projects } from '#projects/projects'
import type { World } from '#world/world'
import type { Job } from '#jobs/jobs'
import type { PostNumbers } from '../numbers'

interface TrialDependencies {
  projects: Pick<Projects, 'list'>
  published: Pick<Published, 'posts' | 'pages'>
  posts: Pick<Posts, 'find' | 'pickWinner' | 'stopTrial'>
  postNumbers: Pick<PostNumbers, 'trial'>
  world: World
}

const trialJob = 'look at trials of posts'
const minute = 60_000

const trialViewer = operator('trial')

/** Ends trials automatically: with a winner, or without one once it is clear that there will be none. */
export const trialJobs = (dependencies: TrialDependencies): readonly Job[] => [
  { name: trialJob, everyMs: 5 * minute, isShared: true, run: () => concludeTrials(dependencies) },
]

/** Concludes all due trials. One that fails does not affect the others. */
export async function concludeTrials(dependencies: TrialDependencies): Promise<void> {
  const problems: unknown[] = []
  for (const post of postsUnderTrial(dependencies))
    await concludeTrial(post, dependencies).catch((problem: unknown) => problems.push(problem))
  if (problems.length > 0) throw new AggregateError(problems, 'Some trials of posts could not be looked at.')
}

function postsUnderTrial({ projects, published, world }: TrialDependencies): Post[] {
  const live = projects.list(trialViewer).filter(({ archivedAt }) => !archivedAt)
  return live
    .flatMap(({ id }) => [...published.posts(id, world.now()), ...published.pages(id, world.now())])
    .filter(({ trial }) => trial?.state.name === 'running')
}

async function concludeTrial({ projectId, id, trial }: Post, dependencies: TrialDependencies): Promise<void> {
  if (!trial) return
  const outcome = await dependencies.postNumbers.trial(projectId, trial, trialViewer)
  if (!outcome.done) throw new Error(sentences(outcome))
  const { verdict } = outcome.trial
  const known = await dependencies.posts.find(projectId, id, trialViewer)
  // a member may have ended this trial and begun another one in the meantime
  if (known?.trial?.key !== trial.key || known.trial.state.name !== 'running') return
  const ended = await endTrial(known, verdict, dependencies)
  if (ended && !ended.done) throw new Error(sentences(ended))
}

async function endTrial(
  { projectId, id }: Post,
  verdict: TrialVerdict,
  { posts }: TrialDependencies,
): Promise<Outcome | undefined> {
  if (verdict.name === 'won')
    return await posts.pickWinner(projectId, id, { winner: verdict.winner }, trialViewer)
  return verdict.name === 'futile' ? await posts.stopTrial(projectId, id, trialViewer) : undefined
}

const sentences = (outcome: Outcome): string =>
  outcome.done ? '' : outcome.problems.map(({ message }) => message).join(' ')
