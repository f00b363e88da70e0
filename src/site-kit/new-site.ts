import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { copyTheme } from './copy-theme'

interface NewSite {
  /** The site folder, which is empty or not there yet. */
  folder: string
  /** The folder with the example site of the installation. */
  example: string
  /** The address of the package `@tilth/site`, or its file, of which the folder gets a copy. */
  sitePackage: URL | string
}

type NewSiteOutcome = { done: true; files: readonly string[] } | { done: false; problem: string }

const manifest = z.looseObject({ devDependencies: z.record(z.string(), z.string()) })

/** Makes a site folder with pages to begin with, and what an editor and a compiler need to know them. */
export function createSite({ folder, example, sitePackage }: NewSite): NewSiteOutcome {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    return { done: false, problem: `${folder} is not empty. Name a new folder.` }
  const outcome = copyTheme({ from: example, to: folder, isForced: false })
  if (!outcome.done) throw new Error(`${folder} was empty, and has ${outcome.inTheWay.join(', ')}.`)
  const path = join(folder, 'package.json')
  const { devDependencies, ...rest } = manifest.parse(JSON.parse(readFileSync(path, 'utf8')))
  const own = {
    ...rest,
    name: packageName(folder),
    devDependencies: { ...devDependencies, '@tilth/site': installableFrom(sitePackage, folder) },
  }
  writeFileSync(path, `${JSON.stringify(own, null, 2)}\n`)
  // npm leaves such files out of a package, so the example has none
  writeFileSync(join(folder, '.gitignore'), 'node_modules/\n')
  return { done: true, files: outcome.written }
}

/** npm allows lower case letters, digits, dots, hyphens and underscores. */
const packageName = (folder: string): string =>
  basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '') || 'site'

/** Returns what a package.json names; a file is copied, so that the folder is whole on any machine. */
function installableFrom(sitePackage: URL | string, folder: string): string {
  if (typeof sitePackage !== 'string') return sitePackage.href
  const file = basename(sitePackage)
  mkdirSync(join(folder, 'packages'))
  copyFileSync(sitePackage, join(folder, 'packages', file))
  return `file:packages/${file}`
}
