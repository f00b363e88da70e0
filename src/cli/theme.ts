import { Argument, Command } from 'commander'
import { join, resolve } from 'node:path'
import { siteThemes } from '#posts/site'
import { copyTheme } from '#site-kit/copy-theme'
import { themesFolder } from '#site-kit/theme-files'
import type { TilthCommand } from './command'

export const themeCommand: TilthCommand = (installation) =>
  new Command('theme')
    .description('copy a theme of the site, to change it')
    .addCommand(copy(themesFolder(installation.root)))

const copy = (themes: string): Command =>
  new Command('copy')
    .description('copy the files of a theme into the site folder')
    .addArgument(new Argument('<theme>', 'which one').choices(siteThemes))
    .argument('[folder]', 'the site folder; otherwise that of TILTH_SITE, or ./site')
    .option('--force', 'replace files that have other contents')
    .addHelpText('after', '\nA site folder with layouts takes the place of the theme of the settings.')
    .action((theme: string, folder: string | undefined, { force = false }: { force?: boolean }) => {
      const to = resolve(folder ?? process.env['TILTH_SITE'] ?? 'site')
      const outcome = copyTheme({ from: join(themes, theme), to, isForced: force })
      if (outcome.done) return write(writtenText(to, outcome))
      process.exitCode = 1
      process.stderr.write(`${inTheWayText(to, outcome.inTheWay)}\n`)
    })

function writtenText(
  to: string,
  { written, unchanged }: Record<'written' | 'unchanged', readonly string[]>,
): string {
  if (written.length === 0) return `${to} has these files already.`
  const same = unchanged.length === 0 ? [] : [`Unchanged: ${unchanged.length}.`]
  return [`Written to ${to}:`, ...written.map((file) => `  ${file}`), ...same].join('\n')
}

const inTheWayText = (to: string, files: readonly string[]): string =>
  [
    `Nothing was written. These files in ${to} have other contents:`,
    ...files.map((file) => `  ${file}`),
    'Move them away, or replace them with --force.',
  ].join('\n')

const write = (text: string): void => void process.stdout.write(`${text}\n`)
