import { type Sql, sql, strings, uint, uints } from '#engine/sql'
import { coinedNamesWith, nameDigits } from '#persons/naming/coined-name'
import { adjectives, nouns } from '#persons/naming/words'
import { PersonProfiles } from '../../compile/internal/profiles'
import type { QueryScope } from '../../scope'
import { naming } from '../person-label'

/** Whether a word of the coined name of an id begins with a text in any case; the engine reads the digits that `coinedName` reads. */
function coinedNameHas(nameId: Sql, text: string): Sql {
  const found = coinedNamesWith(text)
  const parts = [
    isAmong(found.adjectives, wordIndex(nameId, 'adjective', adjectives.length)),
    isAmong(found.nouns, wordIndex(nameId, 'noun', nouns.length)),
  ]
  return sql`(${sql.join(parts, found.isPair ? sql` and ` : sql` or `)})`
}

const isAmong = (indexes: readonly number[], index: Sql): Sql =>
  indexes.length === 0 ? sql`false` : sql`${index} in ${uints(indexes)}`

function wordIndex(nameId: Sql, part: 'adjective' | 'noun', count: number): Sql {
  const { from, to } = nameDigits[part]
  const digits = sql`substring(toString(${nameId}), ${uint(from + 1)}, ${uint(to - from)})`
  return sql`reinterpretAsUInt32(reverse(unhex(${digits}))) % ${uint(count)}`
}

/** The profiles whose coined name is shown and has a text; a whole coined name also finds persons with a name of their own. */
export function profileCoinedAs(text: string): Sql {
  const isUnnamed = sql`not arrayExists(one -> properties[one] != '', ${strings(naming)})`
  const isWhole = coinedNamesWith(text).isPair
  return sql`(${coinedNameHas(sql`name_id`, text)} and ${isWhole ? sql`true` : isUnnamed})`
}

/** Whether a person of events is found by their coined name: by that of their profile, or by that of their id. */
export function personCoinedAs(person: Sql, text: string, scope: QueryScope): Sql {
  const profiles = new PersonProfiles(scope)
  return sql`(
    person in (select person_id from ${profiles.rows(profileCoinedAs(text))})
    or ${coinedNameHas(person, text)} and person not in (select person_id from ${profiles.rows()})
  )`
}
