import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'
import type { KitPage } from '../../kit-manifest'

/** Adds the time of the last change to each page: that of its file, or of a file of the folder that it imports. */
export async function withTimes(
  pages: readonly KitPage[],
  inputs: Metafile['inputs'],
  folder: string,
): Promise<KitPage[]> {
  const times = new Map<string, number>()
  const timeOf = async (file: string): Promise<number> => {
    // a file may disappear meanwhile
    const time = times.get(file) ?? (await stat(join(folder, file)).catch(() => undefined))?.mtimeMs ?? 0
    times.set(file, time)
    return time
  }
  const timed = pages.map(async (page): Promise<KitPage> => {
    const changes = await Promise.all(filesOf(page.file, inputs, folder).map(timeOf))
    return { ...page, changedAt: new Date(Math.max(...changes)).toISOString() }
  })
  return await Promise.all(timed)
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
