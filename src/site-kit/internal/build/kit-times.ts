import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'
import type { KitManifest } from '../../kit-manifest'
import type { KitSources } from './kit-sources'

/**
 * Adds the time of the last change to each page, which is that of its file or of a file of the folder that it imports,
 * and lists those of entries.
 */
export async function timesOf(
  { folder, pages, collections }: KitSources,
  inputs: Metafile['inputs'],
): Promise<Pick<KitManifest, 'pages' | 'entries'>> {
  const times = new Map<string, number>()
  const timeOf = async (file: string): Promise<number> => {
    // a file may disappear meanwhile
    const time = times.get(file) ?? (await stat(join(folder, file)).catch(() => undefined))?.mtimeMs ?? 0
    times.set(file, time)
    return time
  }
  const latestOf = async (files: readonly string[]): Promise<string> =>
    new Date(Math.max(...(await Promise.all(files.map(timeOf))))).toISOString()
  const timed = pages.map(async (page) => ({
    ...page,
    changedAt: await latestOf(filesOf(page.file, inputs, folder)),
  }))
  const files = collections.flatMap(({ entries }) => entries.map(({ file }) => file))
  const entries = files.map(async (file) => [file, await latestOf([file])] as const)
  return { pages: await Promise.all(timed), entries: Object.fromEntries(await Promise.all(entries)) }
}

/** The files of the folder that a module is made of, without those of packages. */
function filesOf(file: string, inputs: Metafile['inputs'], folder: string): string[] {
  const found = new Set([file])
  for (const input of found)
    for (const imported of inputs[input]?.imports ?? [])
      if (isOfFolder(imported.path, folder)) found.add(imported.path)
  return [...new Set(Array.from(found, (input) => fileIn(input, folder)))]
}

/** Client modules are loaded once more, by their whole paths. */
const clientPrefix = 'client:'

const fileIn = (input: string, folder: string): string =>
  input.startsWith(clientPrefix) ? input.slice(`${clientPrefix}${folder}/`.length) : input

const isOfFolder = (input: string, folder: string): boolean =>
  input.startsWith(`${clientPrefix}${folder}/`) || !/^\.\.\/|^\/|:|(?:^|\/)node_modules\//.test(input)
