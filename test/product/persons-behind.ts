import { sql } from '#engine/sql'
import { readQuery } from '#insights/ask'
import type { Calendar } from '#insights/calendar/period'
import { type TestEngine, type TestEvent, uuidFor } from './test-engine'

interface PersonsBehindRequest {
  project: number
  /** The story with the persons' names. */
  story: readonly TestEvent[]
  question: object
  calendar?: Partial<Calendar>
}

/** The persons behind a number, by name, as often as the engine lists them; or the message shown in their place. */
export async function personsBehind(
  testEngine: TestEngine,
  { project, story, question, calendar }: PersonsBehindRequest,
  point: object,
) {
  const read = readQuery(question)
  const scope = testEngine.scope(project, calendar)
  const outcome = read.done ? await read.ready.personsBehind?.(point, scope) : read
  if (!outcome) throw new Error('Nobody is behind the numbers of this kind.')
  if (!outcome.done) return outcome.problems.map(({ message }) => message).join(' ')
  const rows = await scope.run<{ person: string }>(sql`select person from (${outcome.statement})`)
  const names = new Map(story.map(({ person }) => [uuidFor(person), person]))
  return rows.map(({ person }) => names.get(person) ?? person).toSorted()
}
