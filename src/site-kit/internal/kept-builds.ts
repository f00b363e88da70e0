import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** Builds that stay on disk: pages of an earlier one may still be open in browsers. */
const keptBuilds = 5

/** The folder of the copies of pictures, which builds share. */
export const imagesOf = (output: string): string => join(output, 'images')

const namesFile = (build: string): string => join(build, 'images.json')
const fileNames = z.array(z.string())

/** Writes into the folder of a build which copies of pictures it has. */
export const noteImages = (build: string, names: readonly string[]): void =>
  writeFileSync(namesFile(build), JSON.stringify(names))

/** Removes builds that are neither in use nor among the latest, and the copies of pictures that no other build has. */
export function removeOldBuilds(output: string, current: string): void {
  const builds = join(output, 'builds')
  const byAge = readdirSync(builds).toSorted(
    (one, other) => statSync(join(builds, other)).mtimeMs - statSync(join(builds, one)).mtimeMs,
  )
  for (const old of byAge.slice(keptBuilds))
    if (old !== current) rmSync(join(builds, old), { recursive: true })
  removeUnusedImages(output)
}

function removeUnusedImages(output: string): void {
  const images = imagesOf(output)
  if (!existsSync(images)) return
  const lists = readdirSync(join(output, 'builds')).map((id) => namesFile(join(output, 'builds', id)))
  // a build of an earlier version does not say what it has
  if (!lists.every((list) => existsSync(list))) return
  const used = lists.flatMap((list) => fileNames.parse(JSON.parse(readFileSync(list, 'utf8'))))
  const pictures = new Set(used.map(pictureIn))
  for (const file of readdirSync(images))
    if (!pictures.has(pictureIn(file))) rmSync(join(images, file), { force: true })
}

/** The name that all copies of a picture share, and the file of its facts: `photo-0a1b2c3d`. */
const pictureIn = (file: string): string => file.replace(file.endsWith('.json') ? '.json' : /-\d+\.\w+$/, '')
