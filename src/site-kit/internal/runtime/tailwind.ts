import { readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findStyleSheet, loadTeamModule, packageFolder, readPackageFile } from './style-packages'
import { lineOf, nativeAddonProblem, StyleError } from './style-error'
import { TailwindScanner, type TailwindSources } from './tailwind-sources'

/** The used part of the package `tailwindcss`, which belongs to the site folder: its `lib.d.mts`. */
interface Tailwind {
  compile: (css: string, options: TailwindOptions) => Promise<CompiledTailwind>
}

interface TailwindOptions {
  base: string
  from: string
  loadStylesheet: (id: string, base: string) => Promise<{ path: string; base: string; content: string }>
  loadModule: (id: string, base: string) => Promise<{ path: string; base: string; module: unknown }>
}

interface CompiledTailwind extends TailwindSources {
  /** A bit mask. */
  features: number
  /** Adds classes, and returns the style sheet with all that were added so far. */
  build: (candidates: readonly string[]) => string
}

/** `Features.Utilities` of `tailwindcss`: there is a place for the rules of classes. */
const hasUtilities = 16

const directives =
  /@import\s+(?:url\(\s*)?["']tailwindcss(?:\/[\w.-]+)*["']|@(?:tailwind|config|plugin|theme|utility|variant|custom-variant|source|reference|apply)\b/

const withoutComments = (css: string): string =>
  css.replaceAll(/\/\*[^]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ' '))

/** Whether a style sheet has directives that only Tailwind understands. */
export const isTailwind = (css: string): boolean => directives.test(withoutComments(css))

interface KnownSheet {
  css: string
  compiled: CompiledTailwind
  /** The style sheets that it imports, with their stamps. */
  imported: ReadonlyMap<string, string>
}

interface TailwindSheet {
  path: string
  /** Its folder. */
  base: string
  /** All files of the site folder, as paths from its root. */
  files: readonly string[]
}

/** Compiles style sheets by the Tailwind of the site folder. A sheet that is unchanged only gets the classes that are new. */
export class TailwindCompiler {
  private readonly sheets = new Map<string, KnownSheet>()
  private readonly scanner: TailwindScanner
  private tailwind: Promise<Tailwind> | undefined

  constructor(private readonly folder: string) {
    this.scanner = new TailwindScanner(folder)
  }

  async compile(css: string, { path, base, files }: TailwindSheet): Promise<string> {
    const place = (line: number | undefined) => ({
      file: relative(this.folder, path).split(sep).join('/'),
      line,
    })
    const line = lineOf(withoutComments(css), directives)
    const installed = this.installed()
    if ('problem' in installed) throw new StyleError(installed.problem, place(line))
    try {
      const compiled = await this.compiledSheet(css, path, base)
      const candidates =
        (compiled.features & hasUtilities) > 0 ? this.scanner.candidates(compiled, files) : []
      return compiled.build(candidates)
    } catch (problem) {
      this.sheets.delete(path)
      const { message, place: known } = StyleError.of(problem)
      throw new StyleError(message, known ?? place(lineOfMentioned(css, message) ?? line))
    }
  }

  private installed(): { found: string } | { problem: string } {
    const found = packageFolder(this.folder, 'tailwindcss')
    if (found === undefined)
      return { problem: 'The package tailwindcss is missing. In the site folder: npm install tailwindcss' }
    const { version = '' } = readPackageFile(found)
    return version.startsWith('4.')
      ? { found }
      : {
          problem: `Tailwind ${version} is not understood, but 4 is. In the site folder: npm install tailwindcss@4`,
        }
  }

  private async compiledSheet(css: string, path: string, base: string): Promise<CompiledTailwind> {
    const known = this.sheets.get(path)
    if (known?.css === css && [...known.imported].every(([file, stamp]) => stampOf(file) === stamp))
      return known.compiled
    const imported = new Map<string, string>()
    const tailwind = await (this.tailwind ??= loadTailwind(this.folder))
    const compiled = await tailwind.compile(css, {
      base,
      from: path,
      loadStylesheet: (id, from) => this.loadStyleSheet(id, { from, base }, imported),
      loadModule: loadPlugin,
    })
    this.sheets.set(path, { css, compiled, imported })
    return compiled
  }

  private async loadStyleSheet(
    id: string,
    { from, base }: { from: string; base: string },
    imported: Map<string, string>,
  ): Promise<{ path: string; base: string; content: string }> {
    const path = findStyleSheet(id, from, this.folder)
    if (path === undefined) throw new StyleError(`The style sheet "${id}" cannot be found.${adviceFor(id)}`)
    imported.set(path, stampOf(path))
    const content = withAddressesFrom(readFileSync(path, 'utf8'), dirname(path), base)
    return await Promise.resolve({ path, base: dirname(path), content })
  }
}

async function loadTailwind(folder: string): Promise<Tailwind> {
  const library = join(folder, 'node_modules/tailwindcss/dist/lib.mjs')
  // the package's own types say more; another version fails in `compile`
  return (await import(pathToFileURL(library).href)) as Tailwind
}

async function loadPlugin(
  id: string,
  base: string,
): Promise<{ path: string; base: string; module: unknown }> {
  try {
    const { path, loaded } = await loadTeamModule(id, base)
    return { path, base: dirname(path), module: loaded }
  } catch (problem) {
    throw new StyleError(
      nativeAddonProblem(id, problem) ?? `"${id}" cannot be loaded: ${StyleError.of(problem).message}`,
    )
  }
}

const adviceFor = (id: string): string => (/^[./]/.test(id) ? '' : ` In the site folder: npm install ${id}`)

function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return `${found?.mtimeMs} ${found?.size} ${found?.ino}`
}

/** Tailwind puts imported sheets in place; addresses of files are then relative to the sheet that imports. */
function withAddressesFrom(css: string, from: string, to: string): string {
  if (from === to) return css
  return css.replaceAll(/url\(\s*(["']?)(\.{1,2}\/[^"')]+)\1\s*\)/g, (_, _quote, address: string) => {
    const moved = relative(to, join(from, address)).split(sep).join('/')
    return `url("${moved.startsWith('.') ? moved : `./${moved}`}")`
  })
}

/** Messages of Tailwind name what they are about: "Cannot apply unknown utility class `p-huge`". */
function lineOfMentioned(css: string, message: string): number | undefined {
  for (const [, text = ''] of message.matchAll(/[`"]([^`"]+)[`"]/g)) {
    const line = lineOf(withoutComments(css), text)
    if (line !== undefined) return line
  }
  return undefined
}
