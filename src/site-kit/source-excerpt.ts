import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { join, relative, sep } from 'node:path'
import { z } from 'zod'
import { kitFilesIn } from './internal/build/kit-sources'
import type { KitBuild } from './kit-manifest'

const position = z.coerce.number().int().min(1)

/** A place in a file of the site folder, or in a script that browsers load. */
const sourcePlace = z.union([
  z.object({ file: z.string(), line: position }),
  z.object({ script: z.string().regex(/^[\w-]+\.js$/), line: position, column: position }),
])
type SourcePlace = z.infer<typeof sourcePlace>

/** The lines of a file around a mistake. */
export interface SourceExcerpt {
  file: string
  line: number
  lines: readonly { number: number; text: string }[]
}

const linesAround = 3

/** Reads the lines around a place; undefined where it is in no file of the team's. */
export async function excerptAt(
  { folder, output }: Pick<KitBuild, 'folder' | 'output'>,
  query: URLSearchParams,
): Promise<SourceExcerpt | undefined> {
  const place = sourcePlace.safeParse(Object.fromEntries(query))
  if (!place.success) return undefined
  const { file, line } = 'file' in place.data ? place.data : await originalOf(place.data, { folder, output })
  // the list never leads to another folder
  if (!(await kitFilesIn(folder)).includes(file)) return undefined
  const all = (await readFile(join(folder, file), 'utf8')).split('\n')
  const first = Math.max(line - linesAround, 1)
  const lines = all.slice(first - 1, line + linesAround)
  return { file, line, lines: lines.map((text, index) => ({ number: first + index, text })) }
}

/** The place in the files of the team, by the source map of the script. */
async function originalOf(
  { script, line, column }: Extract<SourcePlace, { script: string }>,
  { folder, output }: Pick<KitBuild, 'folder' | 'output'>,
): Promise<{ file: string; line: number }> {
  const unknown = { file: '', line: 1 }
  const path = join(output, 'assets', `${script}.map`)
  if (!existsSync(path)) return unknown
  // esbuild has written it
  const map = new SourceMap(JSON.parse(await readFile(path, 'utf8')) as SourceMapPayload)
  const entry = map.findEntry(line - 1, column - 1)
  if (!('originalSource' in entry)) return unknown
  // sources are named as seen from where the script would be written
  const file = relative(folder, join(folder, 'assets', entry.originalSource))
  return { file: file.split(sep).join('/'), line: entry.originalLine + 1 }
}
