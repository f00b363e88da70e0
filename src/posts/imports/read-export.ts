import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { readGhost } from './internal/ghost'
import { type ImportedContent, UnreadableExportError } from './imported-content'
import { readMedium } from './internal/medium'
import { readSubstack } from './internal/substack'
import { readWordpress } from './internal/wordpress'

/** The products whose posts can be imported, with how each export is read. */
export const postSources = {
  ghost: { read: (path) => readGhost(readJson(path)) },
  wordpress: { read: (path) => readWordpress(readText(path)) },
  substack: { read: (path) => readSubstack(readFolder(path)) },
  medium: { read: (path) => readMedium(readFolder(path)) },
} satisfies Record<string, PostImportSource>

interface PostImportSource {
  /** Throws `UnreadableExportError`. */
  read: (path: string) => ImportedContent
}
export type PostSourceName = keyof typeof postSources

const mostBytes = 200 * 1024 * 1024
const mostFiles = 50_000
const deepestFolder = 4

function readText(path: string): string {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) throw new UnreadableExportError(`There is no file ${path}.`)
  if (!found.isFile()) throw new UnreadableExportError(`${path} is not a file. Name the file of the export.`)
  if (found.size > mostBytes)
    throw new UnreadableExportError(`${path} is larger than 200 MB. Export fewer posts at once.`)
  const bytes = readFileSync(path)
  if (bytes.subarray(0, 2).toString('latin1') === 'PK')
    throw new UnreadableExportError(`${path} is a zip archive. Unpack it first.`)
  return bytes.toString('utf8')
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readText(path))
  } catch (problem) {
    if (problem instanceof SyntaxError) throw new UnreadableExportError(`${path} is not JSON.`)
    throw problem
  }
}

/** The texts of a folder by their paths. Links are not followed: an archive may hold some that lead elsewhere. */
function readFolder(folder: string): Map<string, string> {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (!found?.isDirectory())
    throw new UnreadableExportError(
      `${folder} is not a folder. Unpack the archive first, and name its folder.`,
    )
  const files = new Map<string, string>()
  let bytes = 0
  const walk = (path: string, depth: number): void => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const inside = join(path, entry.name)
      if (entry.isDirectory() && depth < deepestFolder) walk(inside, depth + 1)
      if (!entry.isFile() || !/\.(?:html|csv)$/.test(entry.name)) continue
      bytes += lstatSync(inside).size
      if (bytes > mostBytes || files.size >= mostFiles)
        throw new UnreadableExportError(`${folder} holds more than 200 MB or 50,000 files.`)
      files.set(relative(folder, inside), readText(inside))
    }
  }
  walk(folder, 0)
  return files
}
