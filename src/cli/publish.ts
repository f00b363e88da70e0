import { resolve } from 'node:path'
import { Command } from 'commander'
import { operator } from '#projects/access'
import { usualProject } from '#projects/demo-project'
import { failedOutcome } from '#projects/problems'
import { type Config, readConfig } from '#server/config'
import type { Product } from '#server/product'
import { ConnectionLostError } from '#outbound/local-server'
import { callRunningTilth } from './call-running-tilth'
import type { TilthCommand } from './command'
import { StaticFolder, type FolderChanges } from './publish/static-folder'
import { type PublicationNotes, PublicationError, SitePublication } from './publish/site-publication'
import { commandOutput, withProduct } from './with-product'

export const publishCommand: TilthCommand = () =>
  new Command('publish')
    .description('write a site as files, for any server of files; Tilth must be running')
    .requiredOption('--static [folder]', 'into this folder; otherwise ./static-site')
    .option('--project <project>', 'its URL slug or number; otherwise the oldest')
    .option('--url <address>', 'where the site will be; otherwise the address in its settings')
    .option('--server <address>', 'where browsers reach this Tilth; otherwise the first of TILTH_URL')
    .option('--json', 'answer with JSON')
    .addHelpText(
      'after',
      '\nOnly what is published is written. Files of an earlier publication that are gone are removed, all others stay.',
    )
    .action((options: Options) =>
      withProduct(options.json, async (product) => {
        const reading = readConfig(process.env)
        return reading.readable
          ? await publish(product, reading.config, options)
          : failedOutcome(reading.problems.join(' '))
      }),
    )

interface Options {
  static: string | true
  project?: string
  url?: string
  server?: string
  json?: boolean
}

const commandLineViewer = operator('command line')

async function publish(
  product: Product,
  config: Config,
  options: Options,
): Promise<ReturnType<typeof report>> {
  const { projects } = product
  const { sites, redirects } = product.posts
  const project =
    options.project === undefined
      ? usualProject(projects.list(commandLineViewer))
      : projects.find(options.project, commandLineViewer)
  if (!project) return failedOutcome('There is no project yet.')
  const site = await sites.read(project.id, commandLineViewer)
  const origin = originIn(options.url ?? site.origin)
  const server = originIn(options.server ?? config.addresses[0].origin)
  if (!origin || !server) return failedOutcome('Write addresses as “https://example.com”.')
  const path = resolve(options.static === true ? 'static-site' : options.static)
  const folder = await StaticFolder.open(path)
  if (!folder)
    return failedOutcome(
      `${path} holds files that Tilth has not published. Name an empty folder, or a new one.`,
    )
  const listed = await redirects.list(project.id, commandLineViewer)
  const former = listed.map(({ from }) => from)
  const key = { name: 'tilth publish', scopes: ['project:read', 'posts:write'] }
  try {
    return await callRunningTilth({ product, config, project, key }, async (call) => {
      const { id: projectId, writeKey } = project
      const files = new SitePublication({ projectId, origin, server, writeKey, call, folder })
      await files.collect(former)
      const isComplete = files.notes.failed.size === 0
      if (!isComplete) process.exitCode = 1
      return report({ path, origin, server }, await folder.publish({ isComplete }), files.notes)
    })
  } catch (problem) {
    if (problem instanceof PublicationError || problem instanceof ConnectionLostError)
      return failedOutcome(`${problem.message} Nothing was published.`)
    throw problem
  } finally {
    await folder.discard()
  }
}

const originIn = (address: string): string | undefined => {
  const url = URL.parse(address)
  return url && /^https?:$/.test(url.protocol) ? url.origin : undefined
}

function report(
  where: { path: string; origin: string; server: string },
  changes: FolderChanges,
  notes: PublicationNotes,
) {
  const { pages, omitted, routes, deadLinks, originalsOnly, redirects, failed } = notes
  const listOf = (map: ReadonlyMap<string, string>) => Array.from(map, ([what, page]) => ({ what, page }))
  const json = {
    folder: where.path,
    url: where.origin,
    server: where.server,
    pages,
    ...changes,
    redirects: redirects.size,
    omitted: listOf(omitted),
    routes: [...routes],
    originalsOnly: [...originalsOnly],
    deadLinks: listOf(deadLinks),
    failed: Array.from(failed, ([path, reason]) => ({ path, reason })),
  }
  return commandOutput(
    json,
    `Published ${pages} pages for ${where.origin} in ${where.path}: ${changes.written} files written, ${changes.unchanged} unchanged, ${changes.removed} removed.`,
    ...json.failed.map(
      ({ path, reason }) => `Not published: ${path}: ${reason}. An earlier copy of it stays.`,
    ),
    ...json.omitted.map(({ what, page }) => `Left out: ${what}, as on ${page}: it needs a server.`),
    ...json.routes.map((route) => `Left out: the route ${route}: it needs a server.`),
    ...json.originalsOnly.map((page) => `Original only: ${page} differs by too many combinations of flags.`),
    ...json.deadLinks.map(({ what, page }) => `Leads nowhere: ${what}, on ${page}.`),
  )
}
