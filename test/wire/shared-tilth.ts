import { aTilth, type RunningTestTilth } from '../start/tilth'
import { endAfterFile } from '../running/end-after-file'
import { anOwnedFolder } from '../studio/owned-folder'
import type { TestProject } from './tilth-fixture'

/** A project in which nothing has happened, and the Tilth that it shares with those of other tests. */
interface SharedProject extends Required<TestProject> {
  port: number
  tilth: RunningTestTilth
}

/** One Tilth for the tests of a file that do not harm it: each call takes another project of it. */
export function aSharedTilth(): () => Promise<SharedProject> {
  const endLater = endAfterFile()
  const begin = async () => {
    const { data, projects } = await anOwnedFolder(endLater)
    return { projects, tilth: await aTilth({ TILTH_DATA: data }, endLater) }
  }
  let shared: ReturnType<typeof begin> | undefined
  return async () => {
    const { tilth, projects } = await (shared ??= begin())
    const project = projects.shift()
    if (!project) throw new Error('Every project has been taken: let owned-folder.ts make more.')
    const { slug, writeKey, secretKey } = project
    return { tilth, address: tilth.address, port: tilth.port, slug, key: writeKey, secret: secretKey }
  }
}
