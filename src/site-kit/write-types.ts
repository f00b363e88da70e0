import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
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
 * Writes `tilth-env.d.ts` and `tilth-styles.d.ts`, so that editors know the flags and surveys of the project, and the
 * collections, styles and pictures of the folder. Touches it only where it changes.
 */
export function writeTypes(
  folder: string,
  flags: readonly TypedFlag[],
  surveys: readonly TypedSurvey[],
): void {
  if (!existsSync(folder)) return
  writeChanged(join(folder, 'tilth-env.d.ts'), typesOf(flags, surveys, collectionsIn(folder)))
  writeChanged(join(folder, 'tilth-styles.d.ts'), styleTypes)
}

function writeChanged(file: string, text: string): void {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
}

/** A picture that is imported by its name alone is its address. */
const addressType = (kind: string): string => `
declare module '*.${kind}' {
  const address: string
  export default address
}
`

/** A file of its own: where a file adds to another module, it cannot declare names with a wildcard. */
export const styleTypes = `// Written by "tilth dev": the classes of style modules, and pictures.
declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>
  export default classes
}

/** The attributes of an img. */
declare module '*?image' {
  const image: { src: string; width: number; height: number; srcSet?: string }
  export default image
}
${['avif', 'gif', 'jpeg', 'jpg', 'png', 'svg', 'webp'].map(addressType).join('')}`

interface TypedCollection {
  name: string
  hasSchema: boolean
}

function collectionsIn(folder: string): TypedCollection[] {
  const content = join(folder, 'content')
  if (!existsSync(content)) return []
  return readdirSync(content, { withFileTypes: true })
    .filter((found) => found.isDirectory() && /^(?!(?:posts|pages)$)[\w-]+$/.test(found.name))
    .map(({ name }) => ({ name, hasSchema: existsSync(join(content, name, 'schema.ts')) }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** The declarations of `@tilth/site` that a project fills in. */
export function typesOf(
  flags: readonly TypedFlag[],
  surveys: readonly TypedSurvey[],
  collections: readonly TypedCollection[] = [],
): string {
  const lines = flags
    .filter(({ archivedAt }) => !archivedAt)
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ key, variants }) => `    ${JSON.stringify(key)}: ${valuesOf(variants)}`)
  const names = new Set(surveys.flatMap(({ id, name }) => [name, id]))
  const surveyLines = [...names].toSorted().map((name) => `    ${JSON.stringify(name)}: true`)
  const schemas = collections.flatMap(({ name, hasSchema }, index) =>
    hasSchema ? [`import type schema${index} from './content/${name}/schema'\n`] : [],
  )
  const collectionLines = collections.map(
    ({ name, hasSchema }, index) =>
      `    ${JSON.stringify(name)}: ${hasSchema ? `typeof schema${index}` : 'undefined'}`,
  )
  return `// Written by "tilth dev" from the flags and surveys of the project, and the collections in content/.
import '@tilth/site'
${schemas.join('')}
declare module '@tilth/site' {
  interface ProjectFlags {
${lines.join('\n')}
  }

  /** By name and by id. */
  interface ProjectSurveys {
${surveyLines.join('\n')}
  }

  interface ProjectCollections {
${collectionLines.join('\n')}
  }
}
`
}

const valuesOf = (variants: TypedFlag['variants']): string =>
  variants.length === 0 ? 'boolean' : ['false', ...variants.map(({ key }) => JSON.stringify(key))].join(' | ')
