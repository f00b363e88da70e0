import { Command, InvalidArgumentError } from 'commander'
import { join, resolve } from 'node:path'
import { clientPackagesPath } from '#http/client-packages'
import { version } from '#package.json'
import { createSite } from '#site-kit/new-site'
import type { TilthCommand } from './command'

export const siteCommand: TilthCommand = ({ root, programs }) =>
  new Command('site').description('make a site folder').addCommand(
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
          sitePackage: from
            ? new URL(`${clientPackagesPath}/${file}`, from)
            : join(programs, 'packages', file),
        })
        process.exitCode = outcome.done ? 0 : 1
        if (outcome.done) process.stdout.write(nextSteps(name, folder, outcome.files))
        else process.stderr.write(`${outcome.problem}\n`)
      }),
  )

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
