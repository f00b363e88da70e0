import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** A package of the site folder, by its name and the path in it: `@acme/ui` and `./button.css`. */
interface PackagePath {
  name: string
  inside: string
}

function packagePathOf(id: string): PackagePath {
  const [, name = id, rest = ''] = /^(@[^/]+\/[^/]+|[^/]+)(.*)$/.exec(id) ?? []
  return { name, inside: `.${rest}` }
}

/** The folder of an installed package; undefined where the site folder has none of this name. */
export function packageFolder(folder: string, name: string): string | undefined {
  const found = join(folder, 'node_modules', name)
  return isReadable(join(found, 'package.json')) ? realpathSync(found) : undefined
}

/** A file outside the rights of this process is as if it were missing. */
function isReadable(path: string): boolean {
  try {
    return existsSync(path)
  } catch {
    return false
  }
}

interface PackageFile {
  version?: string
  style?: string
  exports?: unknown
}

export const readPackageFile = (folder: string): PackageFile =>
  // the fields are checked where they are used
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageFile

/** Returns the file of a style sheet that another one imports, by the rules of packages; undefined where there is none. */
export function findStyleSheet(id: string, base: string, folder: string): string | undefined {
  if (/^\.{0,2}\//.test(id)) return fileOf(join(base, id))
  const beside = fileOf(join(base, id))
  if (beside) return beside
  const { name, inside } = packagePathOf(id)
  const found = packageFolder(folder, name)
  if (found === undefined) return undefined
  const { exports, style } = readPackageFile(found)
  const exported = exportedPath(exports, inside) ?? (inside === '.' ? (style ?? 'index.css') : inside)
  return fileOf(join(found, exported))
}

const fileOf = (path: string): string | undefined =>
  [path, `${path}.css`].find((one) => isReadable(one) && statSync(one).isFile())

/** Looks up a path in the `exports` of a package, for style sheets: https://nodejs.org/api/packages.html#exports */
function exportedPath(exports: unknown, inside: string): string | undefined {
  if (typeof exports !== 'object' || exports === null) return inside === '.' ? target(exports) : undefined
  const paths = Object.entries(exports)
  if (!paths.some(([path]) => path.startsWith('.'))) return inside === '.' ? target(exports) : undefined
  const exact = paths.find(([path]) => path === inside || path === `${inside}.css`)
  if (exact) return target(exact[1])
  for (const [path, found] of paths) {
    const [before = '', after] = path.split('*')
    if (after === undefined || !inside.startsWith(before) || !inside.endsWith(after)) continue
    return target(found)?.replaceAll('*', inside.slice(before.length, inside.length - after.length))
  }
  return undefined
}

function target(exported: unknown): string | undefined {
  if (typeof exported === 'string') return exported
  if (typeof exported !== 'object' || exported === null) return undefined
  const conditions = new Map(Object.entries(exported))
  return target(conditions.get('style') ?? conditions.get('default'))
}

/** Loads a module of the site folder, or of a package in it, as its default export. */
export async function loadTeamModule(id: string, base: string): Promise<{ path: string; loaded: unknown }> {
  const path = createRequire(join(base, 'package.json')).resolve(id)
  const loaded: unknown = await import(pathToFileURL(path).href)
  return { path, loaded: defaultOf(loaded) }
}

const defaultOf = (loaded: unknown): unknown =>
  typeof loaded === 'object' && loaded !== null && 'default' in loaded ? loaded.default : loaded
