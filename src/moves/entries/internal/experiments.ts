import { experimentInputFrom } from '#api/posthog/experiment-form'
import type { MetricContext } from '#api/posthog/experiment-metrics'
import {
  type EntryMove,
  idIn,
  makeEach,
  messagesOf,
  textIn,
  type TheirEntry,
  type Translated,
} from './entry-move'
import { withOurCohorts } from './our-cohorts'

/** Makes experiments with the metrics that translate; those that began count the exposures of the history. */
export async function moveExperiments(move: EntryMove & MetricContext): Promise<void> {
  const { client, product, project, viewer } = move
  const all = await client.list('experiments/')
  await makeEach(
    move,
    'experiments',
    all.filter((one) => one['deleted'] !== true && one['archived'] !== true),
    {
      nameOf: (entry) => textIn(entry, 'name') || `experiment ${idIn(entry)}`,
      translate: (entry) => experimentFrom(entry, move),
      create: async (input, entry) => {
        const outcome = await product.experiments.create(project.id, input, viewer)
        if (!outcome.done) return outcome
        const { id } = outcome.experiment
        return { done: true, id, notes: await statusNotes(move, id, entry) }
      },
    },
  )
}

/** Begins and ends it at the times at which it did in PostHog. */
async function statusNotes(
  { product, project, viewer }: EntryMove,
  id: string,
  entry: TheirEntry,
): Promise<string[]> {
  const [startedAt, endedAt] = [instantIn(entry, 'start_date'), instantIn(entry, 'end_date')]
  if (startedAt === undefined) return []
  const { experiments } = product
  if (endedAt === undefined) {
    const started = await experiments.start(project.id, id, { at: startedAt }, viewer)
    return started.done ? [] : [`It is a draft here: ${messagesOf(started)}`]
  }
  const note = [textIn(entry, 'conclusion'), textIn(entry, 'conclusion_comment')].filter(Boolean).join(': ')
  const run = { from: startedAt, until: endedAt, note: note.slice(0, 5000) }
  const recorded = await experiments.recordPastRun(project.id, id, run, viewer)
  return recorded.done ? [] : [`It is a draft here: ${messagesOf(recorded)}`]
}

function instantIn(entry: TheirEntry, field: string): string | undefined {
  const at = Date.parse(textIn(entry, field))
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}

export function experimentFrom(
  entry: TheirEntry,
  move: MetricContext & Pick<EntryMove, 'cohortIds'>,
): Translated {
  const ours = withOurCohorts(entry, move.cohortIds)
  if (!ours.done) return ours
  const read = experimentInputFrom(ours.value, move)
  if (!read.done) return read
  const { input, lostMetrics, leavesOutTestAccounts } = read
  return {
    done: true,
    notes: leavesOutTestAccounts ? [...lostMetrics, testAccountsNote] : lostMetrics,
    input,
  }
}

const testAccountsNote = 'Test accounts are counted here: leave them out by its entry condition.'
