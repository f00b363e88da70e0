import { parse } from 'csv-parse/sync'
import { sql, strings } from '#engine/sql'
import { findPersonsByDistinctIds } from '#persons/person-aliases'
import { type Outcome, failedOutcome } from '#projects/problems'
import type { TableSource } from '#store/store'
import { Events } from '../../compile/internal/events'
import { PersonProfiles } from '../../compile/internal/profiles'
import type { QueryScope } from '../../scope'
import { allTime } from '../../compile/event-range'

const heads = new Set(['distinct_id', 'distinct id', 'email', 'e-mail', 'id', 'user_id', 'person'])

/** Reads one id or email address from each line: from the column with a matching header, otherwise from the first. */
export function idsInText(text: string): Outcome<{ named: string[] }> {
  try {
    const records = parse(text, {
      bom: true,
      delimiter: [',', ';', '\t'],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
    })
    const [first = [], ...others] = records
    const head = first.findIndex((cell) => heads.has(cell.toLowerCase()))
    const cells = (head < 0 ? records : others).map((record) => record[Math.max(head, 0)] ?? '')
    const named = [...new Set(cells.filter(Boolean))]
    return named.length > 0
      ? { done: true, named }
      : failedOutcome('There is no line with an id in it.', 'text')
  } catch (problem) {
    return failedOutcome(
      `This is no CSV that can be read: ${problem instanceof Error ? problem.message : ''}`,
      'text',
    )
  }
}

/** Returns the persons of ids and e-mails, and the ids and e-mails without a person. */
export async function personsNamed(
  named: readonly string[],
  scope: QueryScope,
  store: TableSource,
): Promise<{ persons: string[]; missing: string[] }> {
  const { claimed, own } = await findPersonsByDistinctIds(store, scope.projectId, named)
  const [seen, byEmail] = await Promise.all([
    seenAmong([...own.values()], scope),
    personsByEmail(named, scope),
  ])
  const found = new Map<string, string[]>()
  for (const name of named) {
    const number = own.get(name)
    const persons = [claimed.get(name), number !== undefined && seen.has(number) ? number : undefined]
    found.set(name, [
      ...persons.filter((one) => one !== undefined),
      ...(byEmail.get(name.toLowerCase()) ?? []),
    ])
  }
  return {
    persons: [...new Set([...found.values()].flat())],
    missing: named.filter((name) => found.get(name)?.length === 0),
  }
}

/** Returns the ids that exist as persons. */
async function seenAmong(numbers: readonly string[], scope: QueryScope): Promise<ReadonlySet<string>> {
  const happened = new Events(
    scope,
    { traffic: 'all', withoutTestAccounts: false },
    { period: allTime, persons: numbers },
  )
  const profiles = new PersonProfiles(scope).rows(sql`toString(person_id) in ${strings(numbers)}`)
  const rows = await scope.run<{ id: string }>(sql`
    select toString(person_id) as id
    from ${happened.rows()}
    group by id
    union distinct
    select toString(person_id) as id
    from ${profiles}`)
  return new Set(rows.map(({ id }) => id))
}

async function personsByEmail(
  named: readonly string[],
  scope: QueryScope,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const emails = named.filter((name) => name.includes('@')).map((name) => name.toLowerCase())
  if (emails.length === 0) return new Map()
  const rows = await scope.run<{ mail: string; ids: string[] }>(sql`
    select lowerUTF8(if(properties['email'] = '', properties['$email'], properties['email'])) as mail,
           groupArray(toString(person_id)) as ids
    from ${new PersonProfiles(scope).rows()}
    where mail in ${strings(emails)}
    group by mail`)
  return new Map(rows.map(({ mail, ids }) => [mail, ids]))
}
