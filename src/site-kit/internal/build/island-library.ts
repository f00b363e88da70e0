import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { KitProblem } from '../../kit-manifest'
import { readJsonFile } from './json-file'

const file = 'package.json'
const manifest = z.looseObject({
  tilth: z.strictObject({ islands: z.enum(['react', 'preact']).default('react') }).optional(),
})

/** The library that client components run on in browsers. */
export type IslandLibrary = 'react' | 'preact'

/** Reads `tilth.islands` of the folder's `package.json`. */
export function readIslandLibrary(
  folder: string,
): { done: true; islandLibrary: IslandLibrary } | { done: false; problems: KitProblem[] } {
  if (!existsSync(join(folder, file))) return { done: true, islandLibrary: 'react' }
  const read = readJsonFile(folder, file, manifest)
  return read.done ? { done: true, islandLibrary: read.data.tilth?.islands ?? 'react' } : read
}
