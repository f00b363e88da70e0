import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface TypedFlag {
  key: string
  variants: readonly { key: string }[]
  archivedAt?: unknown
}

interface TypedSurvey {
  id: string
  name: string
}

/**
 * Writes `tilth-env.d.ts` and `tilth-styles.d.ts`, so that editors know the flags and surveys of the project. Touches
 * it only where it changes.
 */
export function writeTypes(
  folder: string,
  flags: readonly TypedFlag[],
  surveys: readonly TypedSurvey[],
): void {
  if (!existsSync(folder)) return
  writeChanged(join(folder, 'tilth-env.d.ts'), typesOf(flags, surveys))
  writeChanged(join(folder, 'tilth-styles.d.ts'), styleTypes)
}

function writeChanged(file: string, text: string): void {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
}

/** A file of its own: where a file adds to another module, it cannot declare names with a wildcard. */
const styleTypes = `// Written by "tilth dev": the classes of style modules.
declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>
  export default classes
}
`

/** The declarations of `@tilth/site` that a project fills in. */
export function typesOf(flags: readonly TypedFlag[], surveys: readonly TypedSurvey[]): string {
  const lines = flags
    .filter(({ archivedAt }) => !archivedAt)
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ key, variants }) => `    ${JSON.stringify(key)}: ${valuesOf(variants)}`)
  const names = new Set(surveys.flatMap(({ id, name }) => [name, id]))
  const surveyLines = [...names].toSorted().map((name) => `    ${JSON.stringify(name)}: true`)
  return `// Written by "tilth dev" from the flags and surveys of the project.
import '@tilth/site'

declare module '@tilth/site' {
  interface ProjectFlags {
${lines.join('\n')}
  }

  /** By name and by id. */
  interface ProjectSurveys {
${surveyLines.join('\n')}
  }
}
`
}

const valuesOf = (variants: TypedFlag['variants']): string =>
  variants.length === 0 ? 'boolean' : ['false', ...variants.map(({ key }) => JSON.stringify(key))].join(' | ')
