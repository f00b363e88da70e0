import { existsSync } from 'node:fs'
import type { Config } from '../../config'

interface NativePackage {
  name: string
  purpose: string
  isNeeded: (config: Config) => boolean
  load: () => Promise<unknown>
}

/** Packages with compiled code, which can be missing or built for another machine. */
export const nativePackages: readonly NativePackage[] = [
  {
    name: '@node-rs/argon2',
    purpose: 'keeping passwords',
    isNeeded: () => true,
    load: async () => await import('@node-rs/argon2'),
  },
  {
    name: 'ffi-rs',
    purpose: 'running the built-in engine',
    isNeeded: ({ engineUrl }) => engineUrl === undefined,
    load: async () => await import('ffi-rs'),
  },
  {
    name: 'chdb',
    purpose: 'running the built-in engine',
    isNeeded: ({ engineUrl }) => engineUrl === undefined,
    load: findEngineLibrary,
  },
]

/** Searches for the library without loading it: its 500 MB belong in the engine's process. */
async function findEngineLibrary(): Promise<void> {
  const { libchdbPath } = await import('chdb/libchdb')
  const library = libchdbPath()
  if (!existsSync(library)) throw new Error(`${library} is missing`)
}

/** Returns why a package is unusable; undefined if it loads. */
export async function troubleWith({ name, purpose, load }: NativePackage): Promise<string | undefined> {
  try {
    await load()
    return undefined
  } catch (problem) {
    const [reason = ''] = (problem instanceof Error ? problem.message : String(problem)).split('\n')
    return (
      `The package ${name}, needed for ${purpose}, does not load on this machine ` +
      `(${process.platform} ${process.arch}: ${reason}): run npm install again here, with optional packages.`
    )
  }
}
