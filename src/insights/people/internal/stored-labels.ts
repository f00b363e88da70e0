import { nameIdOf } from '#persons/person'
import { mergedPersons, personsOf } from '#persons/store'
import type { TableSource } from '#store/store'
import { labelOf, naming, type PersonLabel } from '../person-label'

/** Labels persons of any ids that they ever had, from the store: the engine has a change some moments later. */
export async function storedLabels(
  source: TableSource,
  projectId: number,
  ids: readonly string[],
): Promise<{ id: string; label: PersonLabel }[]> {
  const merged = await mergedPersons(source, projectId, ids)
  const current = ids.map((id) => merged.get(id) ?? id)
  const persons = await personsOf(source, projectId, [...new Set(current)])
  const byId = new Map(persons.map((person) => [person.id, person]))
  return ids.map((id, index) => {
    const person = byId.get(current[index] ?? id)
    return { id, label: labelOf(namesIn(person?.properties ?? {}), person ? nameIdOf(person) : id) }
  })
}

/** The properties that name a person, where they are texts. */
const namesIn = (properties: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    naming.flatMap((key) => {
      const value = properties[key]
      return typeof value === 'string' ? [[key, value]] : []
    }),
  )
