import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import type { Metafile, Plugin } from 'esbuild'
import { z } from 'zod'
import { pictureCopies } from '#posts/pictures/picture-copies'
import { imagesOf } from '../kept-builds'

const suffix = '?image'
const imageNamespace = 'tilth-image'
const copyNamespace = 'tilth-copy'

const storedImage = z.object({
  width: z.number(),
  height: z.number(),
  copies: z.array(z.object({ width: z.number(), name: z.string() })),
})
type StoredImage = z.infer<typeof storedImage>

/**
 * Loads `./photo.jpg?image` as the attributes of an `<img>`: its address, its size, and copies for narrower places. They
 * are made once for each picture, and stand in the output folder for later builds.
 */
export const imageModules = (output: string): Plugin => ({
  name: 'image-modules',
  setup(build) {
    const folder = imagesOf(output)
    build.onResolve({ filter: /\?image$/ }, async ({ path, kind, importer, resolveDir }) => {
      const found = await build.resolve(path.slice(0, -suffix.length), { kind, importer, resolveDir })
      return found.errors.length > 0 ? found : { path: found.path, namespace: imageNamespace }
    })
    build.onLoad({ filter: /./, namespace: imageNamespace }, async ({ path }) => {
      const outcome = await imageOf(path, folder)
      return typeof outcome === 'string'
        ? { errors: [{ text: outcome, location: { file: path, line: 1, column: 0 } }] }
        : { contents: sourceOf(outcome), loader: 'js', resolveDir: folder }
    })
    build.onResolve({ filter: new RegExp(`^${copyNamespace}:`) }, ({ path }) => ({
      path: join(folder, path.slice(copyNamespace.length + 1)),
      namespace: copyNamespace,
    }))
    build.onLoad({ filter: /./, namespace: copyNamespace }, ({ path }) => ({
      contents: readFileSync(path),
      loader: 'file',
    }))
  },
})

/** The names of the copies among the files that a build has read. */
export const copiesIn = (inputs: Metafile['inputs']): string[] =>
  Object.keys(inputs).flatMap((input) => (input.startsWith(`${copyNamespace}:`) ? basename(input) : []))

/** Returns why the picture cannot be read, if it cannot. */
async function imageOf(path: string, folder: string): Promise<StoredImage | string> {
  const bytes = readFileSync(path)
  const id = createHash('sha256').update(bytes).digest('hex').slice(0, 8)
  // a space would end an address in a list of copies
  const name = `${basename(path, extname(path)).replaceAll(/[^\w.-]+/g, '-')}-${id}`
  const facts = join(folder, `${name}.json`)
  if (existsSync(facts)) return storedImage.parse(JSON.parse(readFileSync(facts, 'utf8')))
  const outcome = await pictureCopies(bytes)
  if (!outcome.done) return outcome.problems.map(({ message }) => message).join(' ')
  const { width, height, copies } = outcome.picture
  mkdirSync(folder, { recursive: true })
  const stored: StoredImage = { width, height, copies: [] }
  for (const copy of copies) {
    const file = `${name}-${copy.width}.${copy.type}`
    writeFileSync(join(folder, file), copy.bytes)
    stored.copies.push({ width: copy.width, name: file })
  }
  // last, so that a build that was stopped has made nothing
  writeFileSync(facts, JSON.stringify(stored))
  return stored
}

function sourceOf({ width, height, copies }: StoredImage): string {
  const imports = copies.map(
    ({ name }, index) => `import copy${index} from ${JSON.stringify(`${copyNamespace}:${name}`)}`,
  )
  const sources = copies.map((copy, index) => `copy${index} + ' ${copy.width}w'`)
  const srcSet = copies.length > 1 ? `, srcSet: [${sources.join(', ')}].join(', ')` : ''
  return [
    ...imports,
    `export default { src: copy${copies.length - 1}, width: ${width}, height: ${height}${srcSet} }`,
  ].join('\n')
}
