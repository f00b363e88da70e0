import { failedOutcome } from '#projects/problems'
import { type EntryMove, idIn, makeEach, textIn, type TheirEntry, type Translated } from './entry-move'

/** Makes surveys under their own ids, so that answers in the history are theirs. */
export async function moveSurveys(move: EntryMove): Promise<void> {
  const { client, product, project, viewer } = move
  const here = new Set((await product.surveys.list(project.id, viewer)).map(({ id }) => id))
  const all = await client.list('surveys/')
  for (const survey of all)
    if (here.has(idIn(survey))) move.report.there.push({ kind: 'surveys', name: textIn(survey, 'name') })
  await makeEach(
    move,
    'surveys',
    all.filter((survey) => !here.has(idIn(survey))),
    {
      nameOf: (entry) => textIn(entry, 'name'),
      translate: surveyFrom,
      create: async (input, entry) => {
        const outcome = await product.surveys.importFrom(project.id, input, idIn(entry), viewer)
        if (!outcome.done) return outcome
        const { id } = outcome.survey
        return {
          done: true,
          id,
          notes: [...outcome.notKept, ...(await statusNotes(move, id, entry))],
        }
      },
    },
  )
}

/** PostHog shows archived surveys in the list, with their answers in the history. */
function surveyFrom(entry: TheirEntry): Translated {
  if (entry['archived'] === true)
    return failedOutcome('It is archived in PostHog. Restore it there to bring it along.')
  return { done: true, input: entry, notes: [] }
}

/** A survey that has ended has its results here; one that runs waits for the site to be switched. */
async function statusNotes(
  { product, project, viewer }: EntryMove,
  id: string,
  entry: TheirEntry,
): Promise<string[]> {
  const [startsAt, endsAt] = [textIn(entry, 'start_date'), textIn(entry, 'end_date')]
  if (startsAt === '') return []
  if (endsAt === '') return ['It runs in PostHog, and is a draft here: launch it once your site asks Tilth.']
  const launched = await product.surveys.launch(project.id, id, { at: startsAt }, viewer)
  return launched.done ? [] : launched.problems.map(({ message }) => message)
}
