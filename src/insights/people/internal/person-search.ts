import { sql, string, strings, uint, uuids } from '#engine/sql'
import { findPersonsByDistinctIds } from '#persons/person-aliases'
import type { TableSource } from '#store/store'
import { PersonProfiles } from '../../compile/internal/profiles'
import type { QueryScope } from '../../scope'
import { labelOf, naming } from '../person-label'
import { profilesOf } from '../person-list'
import { profileCoinedAs } from './coined-name-search'
import type { NamedPerson } from '../person-records'

const most = 50

interface FoundProfile {
  id: string
  properties: Record<string, string>
  name_id: string
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
    select toString(person_id) as id, properties, name_id
    from ${new PersonProfiles(scope).rows()}
    where person_id in ${uuids(exact)}
      or arrayExists(value -> ${has}, mapValues(properties))
      or ${profileCoinedAs(text)}
    order by person_id in ${uuids(exact)} desc,
             arrayExists((key, value) -> has(${strings(naming)}, key) and ${has},
                         mapKeys(properties), mapValues(properties)) desc,
             created_at desc,
             id
    limit ${uint(most)}`)
  return rows.map(({ id, ...profile }) => namedPerson(id, profile))
}

/** Returns persons in the order of the ids. */
export async function namedPersons(ids: readonly string[], scope: QueryScope): Promise<NamedPerson[]> {
  const profiles = await profilesOf(ids, scope)
  return ids.flatMap((id) => {
    const profile = profiles.get(id)
    return profile ? [namedPerson(id, profile)] : []
  })
}

function namedPerson(
  id: string,
  { properties, name_id }: Pick<FoundProfile, 'properties' | 'name_id'>,
): NamedPerson {
  const { name, email, isCoined } = labelOf(properties, name_id)
  const address = email ?? (isCoined ? undefined : (properties.email ?? properties.$email))
  return { id, name, ...(address && { email: address }) }
}
