import { Command, InvalidArgumentError } from 'commander'
import { join, resolve } from 'node:path'
import { clientPackagesPath } from '#http/client-packages'
import { version } from '#package.json'
import { pathOf } from '#posts/addresses'
import { previewDays } from '#posts/previews'
import { operator } from '#projects/access'
import { usualProject } from '#projects/demo-project'
import { failedOutcome } from '#projects/problems'
import type { Product } from '#server/product'
import { createSite } from '#site-kit/new-site'
import type { TilthCommand } from './command'
import { commandOutput, withProduct } from './with-product'

export const siteCommand: TilthCommand = (installation) =>
  new Command('site')
    .description('make a site folder, and show its drafts')
    .addCommand(newCommand(installation))
    .addCommand(previewCommand())

const newCommand: TilthCommand = ({ root, programs }) =>
  new Command('new')
    .description('make a site folder with example pages, types for editors and a package.json')
    .argument('<folder>', 'a new folder')
    .option(
      '--from <address>',
      'the Tilth that npm installs @tilth/site from; otherwise the folder gets a copy of it',
      parseAddress,
    )
    .action((name: string, { from }: { from?: URL }) => {
      const folder = resolve(name)
      const file = `site-${version}.tgz`
      const outcome = createSite({
        folder,
        example: join(root, 'examples', 'site'),
        sitePackage: from ? new URL(`${clientPackagesPath}/${file}`, from) : join(programs, 'packages', file),
      })
      process.exitCode = outcome.done ? 0 : 1
      if (outcome.done) process.stdout.write(nextSteps(name, folder, outcome.files))
      else process.stderr.write(`${outcome.problem}\n`)
    })

const previewCommand = () =>
  new Command('preview')
    .description('make a link that shows a page of the site folder although it is a draft')
    .argument('<path>', 'the address of the page from the root of the site: /plans')
    .option('--project <project>', 'its URL slug or number; otherwise the oldest')
    .option('--json', 'answer with JSON')
    .action((path: string, { project, json }: { project?: string; json?: boolean }) =>
      withProduct(json, (product) => previewPage(product, path, project)),
    )

const commandLineViewer = operator('command line')

async function previewPage(
  { projects, posts }: Pick<Product, 'projects' | 'posts'>,
  address: string,
  named: string | undefined,
) {
  if (!address.startsWith('/')) return failedOutcome('Write the address from the root of the site: /plans.')
  const project =
    named === undefined
      ? usualProject(projects.list(commandLineViewer))
      : projects.find(named, commandLineViewer)
  if (!project) return failedOutcome('There is no project yet.')
  const { origin } = await posts.sites.read(project.id, commandLineViewer)
  const url = new URL(address, origin)
  const token = posts.pagePreviewToken(project.id, pathOf(url.pathname), commandLineViewer)
  url.searchParams.set('preview', token)
  return commandOutput(
    { url: url.href, days: previewDays },
    url.href,
    `Anyone with this link sees the page for ${previewDays} days.`,
  )
}

export function parseAddress(text: string): URL {
  const address = URL.parse(text)
  if (!address || !/^https?:$/.test(address.protocol))
    throw new InvalidArgumentError('Write it as https://tilth.example.com.')
  return address
}

const nextSteps = (name: string, folder: string, files: readonly string[]): string =>
  [
    `Written to ${folder}:`,
    ...files.map((file) => `  ${file}`),
    '',
    'Next:',
    `  npm install --prefix ${name}    types for your editor`,
    `  tilth dev ${name}               builds it, and reloads browsers after each change`,
    '',
  ].join('\n')
