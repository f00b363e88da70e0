import { sql, string, strings, uint, uuids } from '#engine/sql'
import { findPersonsByDistinctIds } from '#persons/person-aliases'
import type { TableSource } from '#store/store'
import { PersonProfiles } from '../../compile/internal/profiles'
import type { QueryScope } from '../../scope'
import { nameOf, naming, profilesOf } from '../person-list'
import type { NamedPerson } from '../person-records'

const most = 50

interface FoundProfile {
  id: string
  properties: Record<string, string>
}

/** Reads profiles and claimed ids alone, so that it is quick whatever the number of events. */
export async function searchPersons(
  text: string,
  scope: QueryScope,
  store: TableSource,
): Promise<NamedPerson[]> {
  const { claimed, own } = await findPersonsByDistinctIds(store, scope.projectId, [text])
  const exact = [...claimed.values(), ...own.values()]
  const has = sql`positionCaseInsensitiveUTF8(value, ${string(text)}) > 0`
  const rows = await scope.run<FoundProfile>(sql`
    select toString(person_id) as id, properties
    from ${new PersonProfiles(scope).rows()}
    where person_id in ${uuids(exact)}
      or arrayExists(value -> ${has}, mapValues(properties))
    order by person_id in ${uuids(exact)} desc,
             arrayExists((key, value) -> has(${strings(naming)}, key) and ${has},
                         mapKeys(properties), mapValues(properties)) desc,
             created_at desc,
             id
    limit ${uint(most)}`)
  return rows.map(({ id, properties }) => namedPerson(id, properties))
}

/** Returns persons in the order of the ids. */
export async function namedPersons(ids: readonly string[], scope: QueryScope): Promise<NamedPerson[]> {
  const profiles = await profilesOf(ids, scope)
  return ids.flatMap((id) => {
    const profile = profiles.get(id)
    return profile ? [namedPerson(id, profile.properties)] : []
  })
}

function namedPerson(id: string, properties: Readonly<Record<string, string>>): NamedPerson {
  const email = properties.email ?? properties.$email
  return { id, name: nameOf(properties, id), ...(email && { email }) }
}
