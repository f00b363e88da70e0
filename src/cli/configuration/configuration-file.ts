import { parseDocument, stringify } from 'yaml'
import { canonicalText } from '#collection/canonical-text'
import type { FailedOutcome, InputProblem, Outcome } from '#projects/problems'
import { failedOutcome } from '#projects/problems'
import { withReferences } from './references'
import { type Fields, type Section, type SectionContext, singleKey, type StoredDefinition } from './section'
import { isSectionName, type SectionName, sectionNames, sections } from './sections'

/** The definitions of a project as a file has them: by section, then by name or key. */
export type Configuration = ReadonlyMap<SectionName, ReadonlyMap<string, Fields>>

/** The definitions of a project with their ids. */
export type StoredConfiguration = ReadonlyMap<SectionName, readonly StoredDefinition[]>

const version = 1
const mostCharacters = 50_000_000
/** A file of a few lines whose aliases repeat each other would fill the memory. */
const mostAliases = 100
const mostEntries = 20_000

const heading = ` The definitions of a project of Tilth. "tilth apply" brings them to another one.\n`

/** Reads the definitions of a project. References are names, as in the file. */
export async function storedConfiguration(
  context: SectionContext,
): Promise<Outcome<{ stored: StoredConfiguration }>> {
  const listed = new Map<SectionName, readonly StoredDefinition[]>()
  const problems: InputProblem[] = []
  for (const name of sectionNames) {
    const entries = await sections[name].list(context)
    listed.set(name, entries)
    for (const key of new Set(repeatedIn(entries.map((entry) => entry.key))))
      problems.push({
        field: name,
        message: `The project has more than one ${sections[name].noun} with the name “${key}”. Rename one of them first.`,
      })
  }
  if (problems.length > 0) return { done: false, problems }
  const nameOf = (section: SectionName, id: string | number) =>
    listed.get(section)?.find((entry) => entry.id === id)?.key
  const stored = [...listed].map(
    ([name, entries]) =>
      [name, entries.map((entry) => ({ ...entry, fields: fileFields(name, entry.fields, nameOf) }))] as const,
  )
  return { done: true, stored: new Map(stored) }
}

/** The fields as the file has them: stored fields of an older version that cannot be read stay as they are. */
function fileFields(name: SectionName, fields: Fields, nameOf: Parameters<typeof withReferences>[1]): Fields {
  const section: Section = sections[name]
  const normal = section.normal?.(fields)
  const ordered = Object.entries(normal?.done ? normal.fields : fields).map(([field, value]) => [
    field,
    // the order of names within a field has no meaning, and depends on who wrote it
    JSON.parse(canonicalText(value)),
  ])
  // references replace texts and numbers only
  return withReferences(Object.fromEntries(ordered), nameOf) as Fields
}

const isSingle = (name: SectionName): boolean => {
  const section: Section = sections[name]
  return section.isSingle ?? false
}

const repeatedIn = (keys: readonly string[]): string[] => keys.filter((key, i) => keys.indexOf(key) !== i)

/** Alerts and reports that only members and webhooks are told of cannot be made elsewhere. */
const isInFile = (section: SectionName, { fields }: StoredDefinition): boolean =>
  (section !== 'alerts' && section !== 'reports') ||
  (Array.isArray(fields['recipients']) && fields['recipients'].length > 0)

/** Writes the file, with the names of the definitions that it cannot have. */
export function configurationText(stored: StoredConfiguration): { text: string; leftOut: string[] } {
  const leftOut: string[] = []
  const content: Record<string, unknown> = { tilth: version }
  for (const [section, entries] of stored) {
    const kept = entries.filter((entry) => isInFile(section, entry))
    for (const { key } of entries.filter((entry) => !isInFile(section, entry)))
      leftOut.push(`${sections[section].noun} “${key}”: its recipients are members or webhooks`)
    const byKey = kept
      .toSorted((one, other) => (one.key < other.key ? -1 : 1))
      .map(({ key, fields }): [string, unknown] => [key, fields])
    if (isSingle(section)) content[section] = byKey[0]?.[1]
    else if (byKey.length > 0) content[section] = new Map(byKey)
  }
  return { text: `#${heading}${stringify(content, { lineWidth: 0, aliasDuplicateObjects: false })}`, leftOut }
}

/** Reads a file; every problem has its place. */
export function readConfiguration(text: string): Outcome<{ configuration: Configuration }> {
  if (text.length > mostCharacters) return failedOutcome('The file is larger than 50 MB.')
  const content = contentOf(text)
  if (!content.done) return content
  const { tilth, ...given } = content.fields
  if (tilth !== version)
    return failedOutcome(`Begin the file with "tilth: ${version}", as "tilth pull" writes it.`, 'tilth')
  const configuration = new Map<SectionName, ReadonlyMap<string, Fields>>()
  const problems: InputProblem[] = []
  for (const [name, entries] of Object.entries(given)) {
    const read = sectionIn(name, entries)
    if (read.done) configuration.set(read.section, read.entries)
    else problems.push(...read.problems)
  }
  return problems.length > 0 ? { done: false, problems } : { done: true, configuration }
}

function contentOf(text: string): Outcome<{ fields: Fields }> {
  const document = parseDocument(text, { uniqueKeys: true, prettyErrors: true })
  const [error] = document.errors
  if (error) {
    const [{ line, col } = { line: 1, col: 1 }] = error.linePos ?? []
    const [message = ''] = error.message.split(/ at line \d+/, 1)
    return failedOutcome(`Line ${line}, column ${col}: ${message}.`)
  }
  try {
    const content: unknown = document.toJS({ maxAliasCount: mostAliases })
    return isFields(content) ? { done: true, fields: content } : failedOutcome('The file has no sections.')
  } catch (problem) {
    return failedOutcome(
      `The file cannot be read: ${problem instanceof Error ? problem.message : String(problem)}`,
    )
  }
}

function sectionIn(
  name: string,
  given: unknown,
): Outcome<{ section: SectionName; entries: ReadonlyMap<string, Fields> }> | FailedOutcome {
  if (!isSectionName(name))
    return failedOutcome(`There is no section “${name}”: choose of ${sectionNames.join(', ')}.`, name)
  if (!isFields(given)) return failedOutcome('Give the entries of a section by their names.', name)
  const entries = Object.entries(isSingle(name) ? { [singleKey]: given } : given)
  if (entries.length > mostEntries)
    return failedOutcome(`A section has at most ${mostEntries.toLocaleString('en')} entries.`, name)
  const problems = entries.flatMap(([key, fields]): InputProblem[] =>
    isFields(fields) || fields === null
      ? []
      : [{ field: `${name}.${key}`, message: 'Give the fields of this entry.' }],
  )
  if (problems.length > 0) return { done: false, problems }
  // an entry without a field may be written as nothing
  const read = entries.map(([key, fields]): [string, Fields] => [key, isFields(fields) ? fields : {}])
  return { done: true, section: name, entries: new Map(read) }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
