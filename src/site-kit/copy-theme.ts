import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

interface ThemeCopy {
  /** The folder of the theme in the installation. */
  from: string
  /** The site folder. */
  to: string
  /** Whether files that differ are replaced. */
  isForced: boolean
}

export type CopyOutcome =
  | { done: true; written: readonly string[]; unchanged: readonly string[] }
  /** These files have other contents, so no file was written. */
  | { done: false; inTheWay: readonly string[] }

/** Copies the files of a theme into a site folder. Paths of the outcome begin at the site folder. */
export function copyTheme({ from, to, isForced }: ThemeCopy): CopyOutcome {
  const files = filesIn(from)
  const unchanged = files.filter((file) => isSame(join(from, file), join(to, file)))
  const others = files.filter((file) => !unchanged.includes(file))
  const inTheWay = others.filter((file) => existsSync(join(to, file)))
  if (inTheWay.length > 0 && !isForced) return { done: false, inTheWay }
  for (const file of others) {
    mkdirSync(dirname(join(to, file)), { recursive: true })
    // not the mode of the installation, which may be read-only
    writeFileSync(join(to, file), readFileSync(join(from, file)))
  }
  return { done: true, written: others, unchanged }
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted()

const isSame = (one: string, other: string): boolean =>
  existsSync(other) && readFileSync(one).equals(readFileSync(other))
