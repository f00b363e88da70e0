import { globSync, readFileSync, statSync } from 'node:fs'
import { join, matchesGlob, resolve } from 'node:path'
import { candidatesIn } from './class-candidates'

interface SourcePattern {
  base: string
  pattern: string
}

/** The files that have the classes of a style sheet, as Tailwind returns them. */
export interface TailwindSources {
  /** null for the whole folder, 'none' for what `sources` names only. */
  root: SourcePattern | 'none' | null
  sources: readonly (SourcePattern & { negated: boolean })[]
}

const ownFiles = /\.(?:[cm]?[jt]sx?|mdx?|html?)$/
const packageFiles = /\.(?:[cm]?[jt]sx?|mdx?|html?|vue|svelte)$/

interface ScannedFile {
  stamp: string
  candidates: ReadonlySet<string>
}

/** Finds the classes that files may use. A file that is unchanged is not read again. */
export class TailwindScanner {
  private readonly known = new Map<string, ScannedFile>()

  constructor(private readonly folder: string) {}

  /** `files` are those of the folder, as paths from its root. */
  candidates({ root, sources }: TailwindSources, files: readonly string[]): string[] {
    const own = files.filter((file) => ownFiles.test(file)).map((file) => join(this.folder, file))
    const named = sources.filter(({ negated }) => !negated)
    const patterns = root === null || root === 'none' ? named : [root, ...named]
    const paths = new Set(root === null ? own : [])
    for (const pattern of patterns) for (const path of this.pathsOf(pattern, own)) paths.add(path)
    const left = sources.filter(({ negated }) => negated).map(globOf)
    const found = new Set<string>()
    for (const path of paths)
      if (!left.some((glob) => matchesGlob(path, glob) || matchesGlob(path, `${glob}/**`)))
        for (const candidate of this.scan(path)) found.add(candidate)
    return [...found]
  }

  /** Packages are not among the files of the folder, and may be named nevertheless. */
  private pathsOf(pattern: SourcePattern, own: readonly string[]): readonly string[] {
    const glob = globOf(pattern)
    if (!glob.includes('/node_modules/'))
      return own.filter((path) => matchesGlob(path, glob) || matchesGlob(path, `${glob}/**`))
    return [...globSync(glob), ...globSync(`${glob}/**`)].filter((path) => packageFiles.test(path))
  }

  private scan(path: string): ReadonlySet<string> {
    const found = statSync(path, { throwIfNoEntry: false })
    if (!found?.isFile()) return new Set()
    const stamp = `${found.mtimeMs} ${found.size} ${found.ino}`
    const known = this.known.get(path)
    if (known?.stamp === stamp) return known.candidates
    const candidates = candidatesIn(readFileSync(path, 'utf8'))
    this.known.set(path, { stamp, candidates })
    return candidates
  }
}

const globOf = ({ base, pattern }: SourcePattern): string => resolve(base, pattern)
