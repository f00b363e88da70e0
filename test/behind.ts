import { sql } from '../src/engine/sql'
import { readQuestion } from '../src/insights/ask'
import type { Calendar } from '../src/insights/period'
import { type Room, type Told, uuidFor } from './questions'

interface Asked {
  project: number
  /** Whose story it is: the names come from here. */
  story: readonly Told[]
  question: object
  calendar?: Partial<Calendar>
}

/** Who is behind a number, by name, each as often as the engine says so; or what a person would read instead. */
export async function whoIsBehind(room: Room, { project, story, question, calendar }: Asked, point: object) {
  const read = readQuestion(question)
  const scope = room.scope(project, calendar)
  const outcome = read.done ? await read.ready.personsBehind?.(point, scope) : read
  if (!outcome) throw new Error('Nobody is behind the numbers of this kind.')
  if (!outcome.done) return outcome.problems.map(({ message }) => message).join(' ')
  const rows = await scope.run<{ person: string }>(sql`select person from (${outcome.statement})`)
  const names = new Map(story.map(({ person }) => [uuidFor(person), person]))
  return rows.map(({ person }) => names.get(person) ?? person).toSorted()
}
