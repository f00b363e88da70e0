import type { SectionName } from './sections'

/** Fields of definitions that name another definition by its id, wherever they stand. */
const referenceFields: Readonly<Record<string, SectionName>> = {
  cohort: 'cohorts',
  cohorts: 'cohorts',
  dashboard: 'dashboards',
  in: 'cohorts',
  insight: 'insights',
  experiment: 'experiments',
  savedMetric: 'metrics',
  survey: 'surveys',
}

/** Fields that are an object, whose `id` names another definition. */
const numberedFields: Readonly<Record<string, SectionName>> = { holdout: 'holdouts', layer: 'layers' }

/** Returns what stands in the place of a reference; undefined leaves it as it is. */
type Replace = (
  section: SectionName,
  reference: string | number,
  place: string,
) => string | number | undefined

/** Replaces every reference in a definition: ids by names for a file, names by ids for a project. */
export function withReferences(value: unknown, replace: Replace, place = ''): unknown {
  if (Array.isArray(value))
    return value.map((one, i) => withReferences(one, replace, under(place, String(i))))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, own]) => [name, replaced(name, own, replace, under(place, name))]),
  )
}

const under = (place: string, name: string): string => (place === '' ? name : `${place}.${name}`)

function replaced(name: string, own: unknown, replace: Replace, place: string): unknown {
  const section = sectionOf(referenceFields, name)
  const numbered = sectionOf(numberedFields, name)
  if (section && typeof own === 'string') return replace(section, own, place) ?? own
  if (section && Array.isArray(own) && own.every((one) => typeof one === 'string'))
    return own.map((one) => replace(section, one, place) ?? one)
  if (!numbered || !isObject(own)) return withReferences(own, replace, place)
  const { id } = own
  const isReference = typeof id === 'string' || typeof id === 'number'
  return isReference ? { ...own, id: replace(numbered, id, under(place, 'id')) ?? id } : own
}

const sectionOf = (fields: Readonly<Record<string, SectionName>>, name: string): SectionName | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : undefined

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
